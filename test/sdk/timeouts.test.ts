// Nothing exceeds its timeout, and nothing continues after the caller has given up.

import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it } from 'node:test';
import { ConnectionError, type Fetch, Paydesk, type Runtime } from '../../sdk/src/paydesk.ts';
import { systemRuntime } from '../../sdk/src/runtime.ts';
import { until } from '../support/until.ts';
import { anyKey, fakeTime, hang, json, rejectedWith, scripted, unavailable } from './scene.ts';

const gaveUp = new Error('the customer left');

/** Timers that the test fires. */
function manualTimers() {
  const waiting = new Map<() => void, number>();
  const timer: Runtime['timer'] = (ms, work) => {
    waiting.set(work, ms);
    return () => waiting.delete(work);
  };
  const fire = (): void => {
    for (const work of waiting.keys()) work();
  };
  return { waiting, timer, fire };
}

describe('A timeout', () => {
  for (const inBody of [false, true]) {
    it(`ends an attempt without a ${inBody ? 'complete response' : 'response'}, which is then retried`, async (test) => {
      let closed = 0;
      const silence = hang({ inBody, onClosed: () => closed++ });
      const server = await scripted(test, silence, json({ id: 'pi_1' }));
      const { waiting, timer, fire } = manualTimers();
      let startedResponses = 0;
      const countingFetch: Fetch = async (url, init) => {
        const response = await fetch(url, init);
        startedResponses += 1;
        return response;
      };
      const runtime = { ...fakeTime().runtime, timer };
      const paydesk = server.client({ runtime, timeoutMs: 7_000, fetch: countingFetch });
      const intent = paydesk.paymentIntents.get('pi_1');
      await until('it hangs', () => server.requests.length === 1 && startedResponses === (inBody ? 1 : 0));
      assert.deepEqual([...waiting.values()], [7_000]);
      fire();
      assert.equal((await intent).id, 'pi_1');
      await until('the first attempt is closed', () => closed === 1);
      assert.deepEqual([server.requests.length, waiting.size], [2, 0]);
    });
  }

  it('is 30 seconds by default, and can be set for a client or a call', async (test) => {
    const server = await scripted(test, json({}));
    const times: number[] = [];
    const timer: Runtime['timer'] = (ms) => {
      times.push(ms);
      return () => {};
    };
    await server.client({ runtime: { timer } }).me();
    await server.client({ runtime: { timer }, timeoutMs: 5 }).me();
    await server.client({ runtime: { timer }, timeoutMs: 5 }).me({ timeoutMs: 6 });
    assert.deepEqual(times, [30_000, 5, 6]);
  });

  it('reports its length and what to check', async (test) => {
    const server = await scripted(test, hang({ inBody: false, onClosed: () => {} }));
    const { runtime, pauses } = fakeTime();
    const error = await rejectedWith(ConnectionError, server.client({ timeoutMs: 20, maxRetries: 1, runtime }).me());
    assert.equal(error.code, 'timeout');
    assert.match(error.message, /20 ms/);
    assert.match(error.message, /\/readyz/);
    assert.equal(pauses.length, 1);
  });

  it('works even if fetch ignores its signal', async () => {
    const ignoring = new Paydesk({ apiKey: anyKey, fetch: () => new Promise(() => {}), maxRetries: 0, timeoutMs: 20 });
    const error = await rejectedWith(ConnectionError, ignoring.me());
    assert.equal(error.code, 'timeout');
  });
});

describe('A signal', () => {
  const reasonOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => assert.fail('it must not succeed'),
      (reason: unknown) => reason,
    );

  it('ends a call in progress immediately, without a retry', async (test) => {
    let closed = 0;
    const server = await scripted(test, hang({ inBody: false, onClosed: () => closed++ }));
    const caller = new AbortController();
    const reason = reasonOf(server.client().me({ signal: caller.signal }));
    await until('it is sent', () => server.requests.length === 1);
    caller.abort(gaveUp);
    assert.equal(await reason, gaveUp);
    await until('it is closed', () => closed === 1);
    assert.equal(server.requests.length, 1);
  });

  it('ends a call that is waiting for a retry', async (test) => {
    const server = await scripted(test, unavailable);
    const caller = new AbortController();
    const { runtime, pauses } = fakeTime(() => caller.abort(gaveUp));
    const paydesk = server.client({ runtime });
    assert.equal(await reasonOf(paydesk.me({ signal: caller.signal })), gaveUp);
    assert.deepEqual([pauses.length, server.requests.length], [1, 1]);
  });

  it('ends a wait on the real clock', async (test) => {
    const server = await scripted(test, { ...unavailable, headers: { ...unavailable.headers, 'Retry-After': '60' } });
    const caller = new AbortController();
    let waits = false;
    const sleep: Runtime['sleep'] = (ms, signal) => {
      waits = true;
      return systemRuntime.sleep(ms, signal);
    };
    const paydesk = new Paydesk({ apiKey: anyKey, baseUrl: server.url, runtime: { sleep } });
    const reason = reasonOf(paydesk.me({ signal: caller.signal }));
    await until('it waits', () => waits);
    caller.abort(gaveUp);
    assert.equal(await reason, gaveUp);
  });

  it('prevents sending if it is already aborted', async (test) => {
    const server = await scripted(test, json({}));
    assert.equal(await reasonOf(server.client().me({ signal: AbortSignal.abort(gaveUp) })), gaveUp);
    assert.equal(server.requests.length, 0);
  });

  it('keeps no listeners, however often it is used', async (test) => {
    const server = await scripted(test, unavailable, json({}));
    const caller = new AbortController();
    for (let count = 0; count < 20; count += 1) await server.client().me({ signal: caller.signal });
    assert.deepEqual(getEventListeners(caller.signal, 'abort'), []);
  });
});
