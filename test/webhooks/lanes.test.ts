// Fairness of sending: nobody gets more than their share, whatever the others do.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type LaneLimits, type Lanes, laneLimits, lanes, type Slot } from '../../src/webhooks/lanes.ts';

const limits: LaneLimits = {
  perLane: 5,
  pools: { fast: 10, slow: 8, fresh: 8, stuck: 6 },
  total: { fast: 48, slow: 40, fresh: 32, stuck: 32 },
  batch: 7,
};

const quick = { ok: true, durationMs: 10 } as const;
const late = { ok: true, durationMs: 5_000 } as const;
const refusal = { ok: false, durationMs: 10 } as const;
const timeout = { ok: false, durationMs: 10_000 } as const;

/** Lanes with endless queues behind them, and what is in flight, oldest first. */
function scene(given: LaneLimits = limits) {
  const lane: Lanes = lanes(given);
  const slots = new Map<string, Slot[]>();
  const of = (id: string): Slot[] => {
    const known = slots.get(id) ?? [];
    slots.set(id, known);
    return known;
  };
  return {
    lane,
    of,
    /** Takes all that there is room for. */
    takeAll(): Record<string, number> {
      const taken: Record<string, number> = {};
      for (let turns = lane.take(); turns.length > 0; turns = lane.take()) {
        for (const turn of turns) {
          of(turn.endpointId).push(...lane.claimed(turn, turn.limit));
          taken[turn.endpointId] = (taken[turn.endpointId] ?? 0) + turn.limit;
        }
      }
      return taken;
    },
    end(id: string, result: Parameters<Lanes['ended']>[1]): void {
      lane.ended(of(id).shift() ?? assert.fail(`nothing is in flight to ${id}`), result);
    },
    /** All of them have taken that long. */
    wait(id: string, ms: number): void {
      for (const slot of of(id)) lane.waited(slot, ms);
    },
  };
}

function named(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${name} ${at}`);
}

describe('The lanes', () => {
  it('give an endpoint one slot until it answers, then more with every success, up to a limit', () => {
    const { lane, takeAll, end } = scene();
    lane.ready('a');
    assert.deepEqual(takeAll(), { a: 1 });
    end('a', quick);
    assert.deepEqual(takeAll(), { a: 5 });
    end('a', quick);
    assert.deepEqual(takeAll(), { a: 1 }, 'the limit');
  });

  it('give the slot of an attempt that hangs to another, one at a time and ever more patiently', () => {
    const { lane, of, takeAll, end, wait } = scene({ ...limits, perLane: 20, pools: { ...limits.pools, stuck: 20 } });
    lane.ready('a');
    takeAll();
    end('a', quick);
    takeAll();
    wait('a', 500);
    wait('a', 1_000);
    assert.deepEqual(takeAll(), { a: 1 }, 'none of the five takes its place');
    const probe = of('a').at(-1) ?? assert.fail();
    lane.waited(probe, 900);
    assert.deepEqual(takeAll(), {}, 'it has twice as long');
    lane.waited(probe, 1_000);
    assert.deepEqual(takeAll(), { a: 1 });
    lane.waited(of('a').at(-1) ?? assert.fail(), 1_900);
    assert.deepEqual(takeAll(), {}, 'and that one four times as long');
    end('a', quick);
    assert.ok((takeAll().a ?? 0) > 1, 'an answer ends the doubt');
  });

  it('take turns: who was served waits for the others', () => {
    const { lane } = scene({ ...limits, batch: 1 });
    for (const id of ['a', 'b', 'c']) lane.ready(id);
    const order = Array.from({ length: 3 }, () => {
      const turns = lane.take();
      for (const turn of turns) lane.claimed(turn, turn.limit);
      return turns.map(({ endpointId }) => endpointId);
    });
    assert.deepEqual(order, [['a'], ['b'], ['c']]);
  });

  it('always have room for one that answers, however many hang, and try out whom they do not know', () => {
    const { lane, takeAll, end, of } = scene();
    const hanging = named('hanging', 12);
    const begun = new Map<Slot, number>();
    lane.ready('healthy');
    for (const id of hanging) lane.ready(id);
    // A round is a second: what hangs is noticed after one, and times out after ten.
    for (let round = 0; round < 100; round += 1) {
      for (const [slot, from] of begun) lane.waited(slot, (round - from) * 1_000);
      while (of('healthy').length > 0) end('healthy', quick);
      for (const id of hanging) {
        while (of(id).some((slot) => round - (begun.get(slot) ?? round) >= 10)) {
          begun.delete(of(id)[0] ?? assert.fail());
          end(id, timeout);
        }
      }
      if (round === 50) lane.ready('newcomer');
      const taken = takeAll();
      for (const id of hanging) for (const slot of of(id)) if (!begun.has(slot)) begun.set(slot, round);
      assert.ok((taken.healthy ?? 0) >= 1, `round ${round}: there is room`);
      if (round === 50) assert.equal(taken.newcomer, 1);
      assert.ok(lane.inFlight() <= limits.total.fast);
    }
  });

  it('leave one that hangs now and then where it is, and move it to those that hang at the second in a row', () => {
    const { lane, of, takeAll, end, wait } = scene();
    for (const id of ['flaky', ...named('hanging', 6)]) lane.ready(id);
    takeAll();
    end('flaky', quick);
    for (const id of named('hanging', 6)) wait(id, 500);
    assert.deepEqual(takeAll(), { flaky: 5 }, 'the pool of those that hang is full');
    wait('flaky', 500);
    wait('flaky', 1_000);
    assert.deepEqual(takeAll(), { flaky: 1 }, 'the first is forgiven');
    lane.waited(of('flaky').at(-1) ?? assert.fail(), 2_000);
    assert.deepEqual(takeAll(), {}, 'the second in a row is not');
    end('flaky', quick);
    assert.ok((takeAll().flaky ?? 0) > 0, 'until it answers');
  });

  it('keep those that answer late apart from the quick ones and from those that hang', () => {
    const { lane, takeAll, end, wait } = scene();
    const slow = named('slow', 4);
    for (const id of slow) lane.ready(id);
    takeAll();
    for (const id of slow) end(id, late);
    takeAll();
    assert.equal(lane.inFlight(), limits.pools.slow, 'all that the slow may have');
    lane.ready('quick');
    takeAll();
    end('quick', quick);
    assert.equal(takeAll().quick, 5);
    for (const id of named('hanging', 8)) lane.ready(id);
    takeAll();
    for (const id of named('hanging', 8)) wait(id, 500);
    end('slow 0', late);
    assert.equal(Object.values(takeAll()).length, 1, 'a slow one goes on beside those that hang');
  });

  it('leave one that refuses quickly among the fast', () => {
    const { lane, takeAll, end, wait } = scene();
    const hanging = named('hanging', 20);
    for (const id of [...hanging.slice(0, 7), 'refuses']) lane.ready(id);
    takeAll();
    end('refuses', refusal);
    for (const id of hanging) lane.ready(id);
    takeAll();
    for (const id of hanging) wait(id, 500);
    takeAll();
    for (let round = 0; round < 5; round += 1) {
      end('refuses', refusal);
      assert.ok((takeAll().refuses ?? 0) > 0);
    }
  });

  it('give a slot back that found nothing to send, and do not ask again by themselves', () => {
    const { lane } = scene();
    lane.ready('a');
    for (const turn of lane.take()) lane.claimed(turn, 0);
    assert.equal(lane.inFlight(), 0);
    assert.deepEqual(lane.take(), []);
  });

  it('are found again when more wait than can be kept', () => {
    const { lane, takeAll, wait } = scene(laneLimits);
    const many = named('hanging', 30_000);
    for (const id of many) lane.ready(id);
    takeAll();
    for (const id of many) wait(id, 500);
    lane.ready('healthy');
    assert.ok(Object.keys(takeAll()).length > 0, 'there is room for more');
  });

  it('never go beyond their limits, and have none in flight when all has ended', () => {
    const action = fc.record({
      endpoint: fc.integer({ min: 0, max: 9 }),
      what: fc.constantFrom('ready', 'take', 'quick', 'late', 'refusal', 'timeout', 'nothing', 'wait'),
    });
    const results = { quick, late, refusal, timeout, nothing: null };
    fc.assert(
      fc.property(fc.array(action, { maxLength: 200 }), fc.infiniteStream(fc.nat(8)), (actions, found) => {
        const { lane, of, end, wait } = scene();
        const ids = named('endpoint', 10);
        for (const { endpoint, what } of actions) {
          const id = `endpoint ${endpoint}`;
          if (what === 'ready') lane.ready(id);
          else if (what === 'wait') wait(id, 20_000);
          else if (what === 'take') {
            const turns = lane.take();
            assert.ok(turns.reduce((sum, { limit }) => sum + limit, 0) <= limits.batch);
            for (const turn of turns) {
              of(turn.endpointId).push(...lane.claimed(turn, Math.min(turn.limit, found.next().value)));
            }
          } else if (of(id).length > 0) end(id, results[what]);
          const inFlight = ids.reduce((sum, one) => sum + of(one).length, 0);
          assert.equal(lane.inFlight(), inFlight);
          assert.ok(inFlight <= limits.total.fast);
          assert.ok(of(id).length <= 2 * limits.perLane);
        }
        for (const id of ids) while (of(id).length > 0) end(id, quick);
        assert.equal(lane.inFlight(), 0);
      }),
    );
  });
});
