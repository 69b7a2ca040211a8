// Competing writers of one row: how long they pause, and that they take turns without blocking each other forever.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { evenFractions, pauseBeforeRound } from '../../src/domain/conflict-pauses.ts';
import { turns } from '../../src/domain/turns.ts';

describe('The pause after a conflict', () => {
  it('is zero at first, then grows, and ends after about 20 seconds in total', () => {
    assert.deepEqual(
      [0, 1, 2].map((round) => pauseBeforeRound(round, 1)),
      [0, 0, 0],
    );
    const part = evenFractions();
    let pausedMs = 0;
    let rounds = 0;
    for (; ; rounds += 1) {
      const pauseMs = pauseBeforeRound(rounds, part());
      if (pauseMs === null) break;
      assert.ok(pauseMs >= 0 && pauseMs < 64);
      pausedMs += pauseMs;
    }
    assert.ok(rounds > 300, 'enough rounds for hundreds of competitors');
    assert.ok(pausedMs > 15_000 && pausedMs < 25_000, String(pausedMs));
  });

  it('differs between competitors: pauses are spread evenly', () => {
    const part = evenFractions();
    const tenths = Array.from({ length: 20 }, () => Math.floor(part() * 10));
    assert.equal(new Set(tenths).size, 10);
  });
});

describe('Taking turns', () => {
  it('runs the work on one key one at a time, in order, and other keys independently', async () => {
    const inTurn = turns();
    const log: string[] = [];
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const first = inTurn('a', async () => {
      log.push('first begins');
      await held;
      log.push('first ends');
    });
    const second = inTurn('a', async () => log.push('second'));
    const third = inTurn('a', async () => log.push('third'));
    await inTurn('b', async () => log.push('other'));
    release();
    await Promise.all([first, second, third]);
    assert.deepEqual(log, ['first begins', 'other', 'first ends', 'second', 'third']);
  });

  it('continues after a failure', async () => {
    const inTurn = turns();
    const failing = inTurn('a', () => Promise.reject(new Error('no')));
    const next = inTurn('a', async () => 'yes');
    await assert.rejects(failing, /no/);
    assert.equal(await next, 'yes');
  });

  it('stops waiting for work that never ends', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const inTurn = turns();
    inTurn('a', () => new Promise(() => {}));
    const next = inTurn('a', async (waited) => waited);
    t.mock.timers.tick(5_000);
    assert.equal(await next, 'too_long');
  });

  it('gives nobody a turn while the first is at work, although others have stopped waiting', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const inTurn = turns();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const first = inTurn('a', () => held);
    const second = inTurn('a', async (waited) => waited);
    t.mock.timers.tick(2_500);
    const third = inTurn('a', async (waited) => waited);
    t.mock.timers.tick(2_500);
    assert.equal(await second, 'too_long');
    await new Promise(setImmediate);
    t.mock.timers.tick(2_500);
    assert.equal(await third, 'too_long');
    const fourth = inTurn('a', async (waited) => waited);
    release();
    assert.equal(await fourth, 'for_its_turn');
    await first;
    assert.equal(await inTurn('a', async (waited) => waited), 'not_at_all');
  });

  it('waits however long it takes, where that is asked for', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const inTurn = turns(null);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const log: string[] = [];
    const first = inTurn('a', async () => {
      await held;
      log.push('first');
    });
    const second = inTurn('a', async (waited) => log.push(waited));
    t.mock.timers.tick(3_600_000);
    await new Promise(setImmediate);
    release();
    await Promise.all([first, second]);
    assert.deepEqual(log, ['first', 'for_its_turn']);
  });

  it('tells whether it waited', async () => {
    const inTurn = turns();
    const both = [inTurn('a', async (waited) => waited), inTurn('a', async (waited) => waited)];
    assert.deepEqual(await Promise.all(both), ['not_at_all', 'for_its_turn']);
  });
});
