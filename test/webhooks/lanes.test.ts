// Fairness of sending: nobody gets more than their share, whatever the others do.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type LaneLimits, type Lanes, lanes } from '../../src/webhooks/lanes.ts';

const limits: LaneLimits = { firstPerLane: 2, mostPerLane: 5, total: 20, troubled: 6, batch: 8 };

/** Takes a turn with endless queues behind every lane. */
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

describe('The lanes', () => {
  it('give an endpoint a few slots at first, and one more with every success, up to a limit', () => {
    const lane = lanes(limits);
    lane.ready('a');
    assert.deepEqual(takeAll(lane), { a: 2 });
    for (const expected of [2, 2, 2]) {
      lane.ended('a', true);
      assert.deepEqual(takeAll(lane), { a: expected });
    }
    assert.equal(lane.inFlight(), 5);
    lane.ended('a', true);
    assert.deepEqual(takeAll(lane), { a: 1 }, 'the limit');
  });

  it('take an endpoint back to its first slots when it fails', () => {
    const lane = lanes(limits);
    lane.ready('a');
    takeAll(lane);
    for (let round = 0; round < 3; round += 1) {
      lane.ended('a', true);
      takeAll(lane);
    }
    lane.ended('a', false);
    assert.deepEqual(takeAll(lane), {}, 'four are in flight, two may be');
  });

  it('take turns: who was served waits for the others', () => {
    const lane = lanes({ ...limits, batch: 2 });
    for (const id of ['a', 'b', 'c']) lane.ready(id);
    const order = Array.from({ length: 3 }, () => {
      const turns = lane.take();
      for (const turn of turns) lane.claimed(turn, turn.limit);
      for (const { endpointId, limit } of turns) for (let n = 0; n < limit; n += 1) lane.ended(endpointId, true);
      return turns.map(({ endpointId }) => endpointId);
    });
    assert.deepEqual(order, [['a'], ['b'], ['c']]);
  });

  it('keep slots free of endpoints in trouble', () => {
    const lane = lanes(limits);
    const hanging = Array.from({ length: 8 }, (_, at) => `hanging ${at}`);
    for (const id of hanging) lane.ready(id);
    takeAll(lane);
    assert.equal(lane.inFlight(), 16);
    for (const id of hanging) for (let n = 0; n < 2; n += 1) lane.ended(id, false);
    takeAll(lane);
    assert.equal(lane.inFlight(), limits.troubled, 'they share what troubled ones may have');
    for (const id of ['a', 'b']) lane.ready(id);
    assert.deepEqual(takeAll(lane), { a: 2, b: 2 });
  });

  it('count an endpoint that is slow as in trouble before it has failed', () => {
    const lane = lanes(limits);
    for (let at = 0; at < 4; at += 1) lane.ready(`slow ${at}`);
    takeAll(lane);
    for (let at = 0; at < 4; at += 1) lane.slow(`slow ${at}`);
    lane.ready('another in trouble');
    lane.slow('another in trouble');
    assert.deepEqual(takeAll(lane), {}, 'eight slots of six are taken');
    lane.ready('healthy');
    assert.deepEqual(takeAll(lane), { healthy: 2 });
  });

  it('give a slot back that found nothing to send', () => {
    const lane = lanes(limits);
    lane.ready('a');
    for (const turn of lane.take()) lane.claimed(turn, 0);
    assert.equal(lane.inFlight(), 0);
    assert.deepEqual(lane.take(), [], 'and do not ask again by themselves');
  });

  it('never go beyond their limits, and have none in flight when all has ended', () => {
    const action = fc.record({
      endpoint: fc.integer({ min: 0, max: 9 }),
      what: fc.constantFrom('ready', 'take', 'ok', 'bad', 'slow'),
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
          if ((what === 'ok' || what === 'bad') && at !== -1) {
            inFlight.splice(at, 1);
            lane.ended(id, what === 'ok');
          }
          assert.equal(lane.inFlight(), inFlight.length);
          assert.ok(inFlight.length <= limits.total);
          assert.ok(inFlight.filter((one) => one === id).length <= limits.mostPerLane);
        }
      }),
    );
  });
});
