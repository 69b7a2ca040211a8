// Places for calls to one account: limited, with a short and limited wait.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bulkhead } from '../../src/acquirers/bulkhead.ts';

describe('A bulkhead', () => {
  it('lets calls in as long as there are places, then those that wait, in their order', async () => {
    const limits = bulkhead({ places: 2, maxWaiting: 10, waitMs: 60_000 });
    const [first, second] = await Promise.all([limits.enter(), limits.enter()]);
    const order: string[] = [];
    const third = limits.enter().then((leave) => {
      order.push('third');
      return leave;
    });
    const fourth = limits.enter().then((leave) => {
      order.push('fourth');
      return leave;
    });
    assert.deepEqual([limits.taken(), limits.waiting()], [2, 2]);
    first?.();
    (await third)?.();
    (await fourth)?.();
    assert.deepEqual(order, ['third', 'fourth']);
    second?.();
    assert.deepEqual([limits.taken(), limits.waiting()], [0, 0]);
  });

  it('turns a call away that has waited long enough', async () => {
    const limits = bulkhead({ places: 1, maxWaiting: 10, waitMs: 1 });
    const leave = await limits.enter();
    assert.equal(await limits.enter(), null);
    assert.equal(limits.waiting(), 0);
    leave?.();
    assert.notEqual(await limits.enter(), null);
  });

  it('turns a call away at once if too many wait', async () => {
    const limits = bulkhead({ places: 1, maxWaiting: 1, waitMs: 60_000 });
    const leave = await limits.enter();
    const waiting = limits.enter();
    assert.equal(await limits.enter(), null);
    leave?.();
    (await waiting)?.();
  });

  it('frees a place once, however often it is left', async () => {
    const limits = bulkhead({ places: 1, maxWaiting: 0, waitMs: 1 });
    const leave = await limits.enter();
    leave?.();
    leave?.();
    assert.equal(limits.taken(), 0);
  });
});
