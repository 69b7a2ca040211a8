// Fairness of sending: no endpoint gets more than its share, whatever the others do.

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
  const slotsOf = (id: string): Slot[] => {
    const known = slots.get(id) ?? [];
    slots.set(id, known);
    return known;
  };
  return {
    lane,
    slotsOf,
    /** Takes as many slots as are free. */
    takeAll(): Record<string, number> {
      const taken: Record<string, number> = {};
      for (let turns = lane.take(); turns.length > 0; turns = lane.take()) {
        for (const turn of turns) {
          slotsOf(turn.endpointId).push(...lane.claimed(turn, turn.limit));
          taken[turn.endpointId] = (taken[turn.endpointId] ?? 0) + turn.limit;
        }
      }
      return taken;
    },
    end(id: string, result: Parameters<Lanes['ended']>[1]): void {
      lane.ended(slotsOf(id).shift() ?? assert.fail(`nothing is in flight to ${id}`), result);
    },
    /** All attempts to this endpoint have taken that long. */
    wait(id: string, ms: number): void {
      for (const slot of slotsOf(id)) lane.waited(slot, ms);
    },
  };
}

function endpointIds(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${name} ${at}`);
}

describe('The lanes', () => {
  it('give an endpoint one slot until it responds, then more with every success, up to a limit', () => {
    const { lane, takeAll, end } = scene();
    lane.ready('a');
    assert.deepEqual(takeAll(), { a: 1 });
    end('a', quick);
    assert.deepEqual(takeAll(), { a: 5 });
    end('a', quick);
    assert.deepEqual(takeAll(), { a: 1 }, 'the limit');
  });

  it('replace the slot of a hanging attempt, one at a time and after an ever longer wait', () => {
    const { lane, slotsOf, takeAll, end, wait } = scene({
      ...limits,
      perLane: 20,
      pools: { ...limits.pools, stuck: 20 },
    });
    lane.ready('a');
    takeAll();
    end('a', quick);
    takeAll();
    wait('a', 500);
    wait('a', 1_000);
    assert.deepEqual(takeAll(), { a: 1 }, 'one replacement for all five');
    const probe = slotsOf('a').at(-1) ?? assert.fail();
    lane.waited(probe, 900);
    assert.deepEqual(takeAll(), {}, 'it is given twice as long');
    lane.waited(probe, 1_000);
    assert.deepEqual(takeAll(), { a: 1 });
    lane.waited(slotsOf('a').at(-1) ?? assert.fail(), 1_900);
    assert.deepEqual(takeAll(), {}, 'and the next one four times as long');
    end('a', quick);
    assert.ok((takeAll().a ?? 0) > 1, 'a response ends the caution');
  });

  it('take turns: an endpoint that was served waits for the others', () => {
    const { lane } = scene({ ...limits, batch: 1 });
    for (const id of ['a', 'b', 'c']) lane.ready(id);
    const order = Array.from({ length: 3 }, () => {
      const turns = lane.take();
      for (const turn of turns) lane.claimed(turn, turn.limit);
      return turns.map(({ endpointId }) => endpointId);
    });
    assert.deepEqual(order, [['a'], ['b'], ['c']]);
  });

  it('always have a slot for a healthy endpoint, however many hang, and try out new ones', () => {
    const { lane, takeAll, end, slotsOf } = scene();
    const hanging = endpointIds('hanging', 12);
    const begun = new Map<Slot, number>();
    lane.ready('healthy');
    for (const id of hanging) lane.ready(id);
    // A round is a second: a hanging attempt is noticed after one, and times out after ten.
    for (let round = 0; round < 100; round += 1) {
      for (const [slot, from] of begun) lane.waited(slot, (round - from) * 1_000);
      while (slotsOf('healthy').length > 0) end('healthy', quick);
      for (const id of hanging) {
        while (slotsOf(id).some((slot) => round - (begun.get(slot) ?? round) >= 10)) {
          begun.delete(slotsOf(id)[0] ?? assert.fail());
          end(id, timeout);
        }
      }
      if (round === 50) lane.ready('newcomer');
      const taken = takeAll();
      for (const id of hanging) for (const slot of slotsOf(id)) if (!begun.has(slot)) begun.set(slot, round);
      assert.ok((taken.healthy ?? 0) >= 1, `round ${round}: there is a slot`);
      if (round === 50) assert.equal(taken.newcomer, 1);
      assert.ok(lane.inFlight() <= limits.total.fast);
    }
  });

  it('tolerate one hanging attempt, and move the endpoint to the stuck pool at the second in a row', () => {
    const { lane, slotsOf, takeAll, end, wait } = scene();
    for (const id of ['flaky', ...endpointIds('hanging', 6)]) lane.ready(id);
    takeAll();
    end('flaky', quick);
    for (const id of endpointIds('hanging', 6)) wait(id, 500);
    assert.deepEqual(takeAll(), { flaky: 5 }, 'the stuck pool is full');
    wait('flaky', 500);
    wait('flaky', 1_000);
    assert.deepEqual(takeAll(), { flaky: 1 }, 'the first is forgiven');
    lane.waited(slotsOf('flaky').at(-1) ?? assert.fail(), 2_000);
    assert.deepEqual(takeAll(), {}, 'the second in a row is not');
    end('flaky', quick);
    assert.ok((takeAll().flaky ?? 0) > 0, 'until it responds');
  });

  it('separate slow endpoints from fast ones and from hanging ones', () => {
    const { lane, takeAll, end, wait } = scene();
    const slow = endpointIds('slow', 4);
    for (const id of slow) lane.ready(id);
    takeAll();
    for (const id of slow) end(id, late);
    takeAll();
    assert.equal(lane.inFlight(), limits.pools.slow, 'the limit of the slow pool');
    lane.ready('quick');
    takeAll();
    end('quick', quick);
    assert.equal(takeAll().quick, 5);
    for (const id of endpointIds('hanging', 8)) lane.ready(id);
    takeAll();
    for (const id of endpointIds('hanging', 8)) wait(id, 500);
    end('slow 0', late);
    assert.equal(Object.values(takeAll()).length, 1, 'a slow endpoint continues despite the hanging ones');
  });

  it('keep an endpoint that refuses quickly in the fast pool', () => {
    const { lane, takeAll, end, wait } = scene();
    const hanging = endpointIds('hanging', 20);
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

  it('free a slot that found nothing to send, and do not look again on their own', () => {
    const { lane } = scene();
    lane.ready('a');
    for (const turn of lane.take()) lane.claimed(turn, 0);
    assert.equal(lane.inFlight(), 0);
    assert.deepEqual(lane.take(), []);
  });

  it('keep serving when more endpoints are waiting than can be remembered', () => {
    const { lane, takeAll, wait } = scene(laneLimits);
    const many = endpointIds('hanging', 30_000);
    for (const id of many) lane.ready(id);
    takeAll();
    for (const id of many) wait(id, 500);
    lane.ready('healthy');
    assert.ok(Object.keys(takeAll()).length > 0, 'there is room for more');
  });

  it('never exceed their limits, and have nothing in flight when everything has ended', () => {
    const action = fc.record({
      endpoint: fc.integer({ min: 0, max: 9 }),
      what: fc.constantFrom('ready', 'take', 'quick', 'late', 'refusal', 'timeout', 'nothing', 'wait'),
    });
    const results = { quick, late, refusal, timeout, nothing: null };
    fc.assert(
      fc.property(fc.array(action, { maxLength: 200 }), fc.infiniteStream(fc.nat(8)), (actions, found) => {
        const { lane, slotsOf, end, wait } = scene();
        const ids = endpointIds('endpoint', 10);
        for (const { endpoint, what } of actions) {
          const id = `endpoint ${endpoint}`;
          if (what === 'ready') lane.ready(id);
          else if (what === 'wait') wait(id, 20_000);
          else if (what === 'take') {
            const turns = lane.take();
            assert.ok(turns.reduce((sum, { limit }) => sum + limit, 0) <= limits.batch);
            for (const turn of turns) {
              slotsOf(turn.endpointId).push(...lane.claimed(turn, Math.min(turn.limit, found.next().value)));
            }
          } else if (slotsOf(id).length > 0) end(id, results[what]);
          const inFlight = ids.reduce((sum, one) => sum + slotsOf(one).length, 0);
          assert.equal(lane.inFlight(), inFlight);
          assert.ok(inFlight <= limits.total.fast);
          assert.ok(slotsOf(id).length <= 2 * limits.perLane);
        }
        for (const id of ids) while (slotsOf(id).length > 0) end(id, quick);
        assert.equal(lane.inFlight(), 0);
      }),
    );
  });
});
