// Fairness of sending: nobody gets more than their share, whatever the others do.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type LaneLimits, type Lanes, laneLimits, lanes } from '../../src/webhooks/lanes.ts';

const limits: LaneLimits = {
  perLane: 5,
  pools: { fast: 10, fresh: 8, slow: 6 },
  total: 40,
  freshBelow: 24,
  batch: 7,
};

/** Takes all that there is room for, with endless queues behind every lane. */
function takeAll(lane: Lanes): Record<string, number> {
  const taken: Record<string, number> = {};
  for (let turns = lane.take(); turns.length > 0; turns = lane.take()) {
    for (const turn of turns) {
      lane.claimed(turn, turn.limit);
      taken[turn.endpointId] = (taken[turn.endpointId] ?? 0) + turn.limit;
    }
  }
  return taken;
}

function named(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${name} ${at}`);
}

describe('The lanes', () => {
  it('give an endpoint one slot at first, and one more with every quick attempt, up to a limit', () => {
    const lane = lanes(limits);
    lane.ready('a');
    assert.deepEqual(takeAll(lane), { a: 1 });
    for (const expected of [2, 2, 2, 2]) {
      lane.ended('a', true);
      assert.deepEqual(takeAll(lane), { a: expected });
    }
    assert.equal(lane.inFlight(), 5);
    lane.ended('a', true);
    assert.deepEqual(takeAll(lane), { a: 1 }, 'the limit');
  });

  it('take an endpoint back to one slot when it is slow', () => {
    const lane = lanes(limits);
    lane.ready('a');
    takeAll(lane);
    for (let round = 0; round < 3; round += 1) {
      lane.ended('a', true);
      takeAll(lane);
    }
    lane.ended('a', false);
    assert.deepEqual(takeAll(lane), {}, 'three are in flight, one may be');
  });

  it('take turns: who was served waits for the others', () => {
    const lane = lanes({ ...limits, batch: 1 });
    for (const id of ['a', 'b', 'c']) lane.ready(id);
    const order = Array.from({ length: 3 }, () => {
      const turns = lane.take();
      for (const turn of turns) lane.claimed(turn, turn.limit);
      return turns.map(({ endpointId }) => endpointId);
    });
    assert.deepEqual(order, [['a'], ['b'], ['c']]);
  });

  it('always have room for one that answers, however many hang, and try out whom they do not know', () => {
    const lane = lanes(limits);
    const hanging = named('hanging', 12);
    /** In flight, with the round that they began in: they look slow after one round, and time out after ten. */
    const begun: { readonly id: string; readonly round: number }[] = [];
    lane.ready('healthy');
    for (const id of hanging) lane.ready(id);
    for (let round = 0; round < 100; round += 1) {
      for (const { id, round: from } of begun) if (id.startsWith('hanging') && from < round) lane.slow(id);
      for (const { id } of begun.filter(({ id, round: from }) => !id.startsWith('hanging') || from + 10 <= round)) {
        begun.splice(
          begun.findIndex((one) => one.id === id),
          1,
        );
        lane.ended(id, !id.startsWith('hanging'));
      }
      if (round === 50) lane.ready('newcomer');
      const taken = takeAll(lane);
      for (const [id, count] of Object.entries(taken))
        for (let each = 0; each < count; each += 1) begun.push({ id, round });
      assert.ok((taken.healthy ?? 0) >= 1, `round ${round}: there is room`);
      if (round === 51) assert.ok(begun.some(({ id }) => id === 'newcomer'));
      assert.ok(lane.inFlight() <= limits.total);
    }
  });

  it('keep one among the slow that hangs now and then, until it has been quick several times', () => {
    const lane = lanes(limits);
    lane.ready('flaky');
    takeAll(lane);
    for (let round = 0; round < 3; round += 1) {
      lane.ended('flaky', true);
      takeAll(lane);
    }
    assert.equal(lane.inFlight(), 4);
    const hanging = named('hanging', 6);
    for (const id of hanging) lane.ready(id);
    takeAll(lane);
    for (const id of ['flaky', ...hanging]) lane.slow(id);
    for (let quick = 1; quick < 3; quick += 1) {
      lane.ended('flaky', true);
      assert.deepEqual(takeAll(lane), {}, 'the pool of the slow is full');
    }
    lane.ended('flaky', true);
    assert.ok((takeAll(lane).flaky ?? 0) > 0, 'now it is fast');
  });

  it('leave one that refuses quickly among the fast', () => {
    const lane = lanes(limits);
    const hanging = named('hanging', 20);
    for (const id of [...hanging, 'refuses']) lane.ready(id);
    takeAll(lane);
    for (const id of hanging) lane.slow(id);
    takeAll(lane);
    for (let round = 0; round < 5; round += 1) {
      lane.ended('refuses', true);
      lane.ready('refuses');
      assert.ok((takeAll(lane).refuses ?? 0) > 0);
    }
  });

  it('give a slot back that found nothing to send, and do not ask again by themselves', () => {
    const lane = lanes(limits);
    lane.ready('a');
    for (const turn of lane.take()) lane.claimed(turn, 0);
    assert.equal(lane.inFlight(), 0);
    assert.deepEqual(lane.take(), []);
  });

  it('are found again when more wait than can be kept', () => {
    const lane = lanes();
    const many = named('hanging', 30_000);
    for (const id of many) lane.ready(id);
    takeAll(lane);
    for (const id of many.slice(0, laneLimits.pools.fresh)) lane.slow(id);
    lane.ready('healthy');
    const found = takeAll(lane);
    assert.ok(Object.keys(found).length > 0, 'there is room for more');
  });

  it('never go beyond their limits, and have none in flight when all has ended', () => {
    const action = fc.record({
      endpoint: fc.integer({ min: 0, max: 9 }),
      what: fc.constantFrom('ready', 'take', 'quick', 'late', 'slow'),
    });
    fc.assert(
      fc.property(fc.array(action, { maxLength: 200 }), fc.infiniteStream(fc.nat(8)), (actions, found) => {
        const lane = lanes(limits);
        const inFlight: string[] = [];
        for (const { endpoint, what } of actions) {
          const id = `endpoint ${endpoint}`;
          if (what === 'ready') lane.ready(id);
          if (what === 'slow') lane.slow(id);
          if (what === 'take') {
            const turns = lane.take();
            assert.ok(turns.reduce((sum, { limit }) => sum + limit, 0) <= limits.batch);
            for (const turn of turns) {
              const count = Math.min(turn.limit, found.next().value);
              lane.claimed(turn, count);
              inFlight.push(...Array<string>(count).fill(turn.endpointId));
            }
          }
          const at = inFlight.indexOf(id);
          if ((what === 'quick' || what === 'late') && at !== -1) {
            inFlight.splice(at, 1);
            lane.ended(id, what === 'quick');
          }
          assert.equal(lane.inFlight(), inFlight.length);
          assert.ok(inFlight.length <= limits.total);
          assert.ok(inFlight.filter((one) => one === id).length <= limits.perLane);
        }
        for (const id of inFlight.splice(0)) lane.ended(id, true);
        assert.equal(lane.inFlight(), 0);
      }),
    );
  });
});
