// Nothing takes longer than it may, and nothing goes on after the caller gave up.

import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it } from 'node:test';
import { ConnectionError, type Fetch, Paydesk, type Runtime } from '../../sdk/src/paydesk.ts';
import { systemRuntime } from '../../sdk/src/runtime.ts';
import { until } from '../support/until.ts';
import { anyKey, fakeTime, hang, json, rejectedWith, scripted, unavailable } from './scene.ts';

const gaveUp = new Error('the customer left');

/** Time-outs that come when the test says so. */
function timersByHand() {
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

describe('A time-out', () => {
  for (const inBody of [false, true]) {
    it(`ends an attempt that gets no ${inBody ? 'end of an answer' : 'answer'}, and the next one is made`, async (test) => {
      let closed = 0;
      const silence = hang({ inBody, onClosed: () => closed++ });
      const server = await scripted(test, silence, json({ id: 'pi_1' }));
      const { waiting, timer, fire } = timersByHand();
      let begun = 0;
      const noting: Fetch = async (url, init) => {
        const response = await fetch(url, init);
        begun += 1;
        return response;
      };
      const runtime = { ...fakeTime().runtime, timer };
      const paydesk = server.client({ runtime, timeoutMs: 7_000, fetch: noting });
      const intent = paydesk.paymentIntents.get('pi_1');
      await until('it hangs', () => server.requests.length === 1 && begun === (inBody ? 1 : 0));
      assert.deepEqual([...waiting.values()], [7_000]);
      fire();
      assert.equal((await intent).id, 'pi_1');
      await until('the first attempt is hung up', () => closed === 1);
      assert.deepEqual([server.requests.length, waiting.size], [2, 0]);
    });
  }

  it('is 30 seconds unless told, for the client or for one call', async (test) => {
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

  it('says after how long, and how to see to it', async (test) => {
    const server = await scripted(test, hang({ inBody: false, onClosed: () => {} }));
    const { runtime, pauses } = fakeTime();
    const error = await rejectedWith(ConnectionError, server.client({ timeoutMs: 20, maxRetries: 1, runtime }).me());
    assert.equal(error.code, 'timeout');
    assert.match(error.message, /20 ms/);
    assert.match(error.message, /\/readyz/);
    assert.equal(pauses.length, 1);
  });

  it('does not depend on a fetch that heeds its signal', async () => {
    const deaf = new Paydesk({ apiKey: anyKey, fetch: () => new Promise(() => {}), maxRetries: 0, timeoutMs: 20 });
    const error = await rejectedWith(ConnectionError, deaf.me());
    assert.equal(error.code, 'timeout');
  });
});

describe('A signal', () => {
  const reasonOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => assert.fail('it must not succeed'),
      (reason: unknown) => reason,
    );

  it('ends a call that is being sent, at once and for good', async (test) => {
    let closed = 0;
    const server = await scripted(test, hang({ inBody: false, onClosed: () => closed++ }));
    const caller = new AbortController();
    const reason = reasonOf(server.client().me({ signal: caller.signal }));
    await until('it is sent', () => server.requests.length === 1);
    caller.abort(gaveUp);
    assert.equal(await reason, gaveUp);
    await until('it is hung up', () => closed === 1);
    assert.equal(server.requests.length, 1);
  });

  it('ends a call that waits for a retry', async (test) => {
    const server = await scripted(test, unavailable);
    const caller = new AbortController();
    const { runtime, pauses } = fakeTime(() => caller.abort(gaveUp));
    const paydesk = server.client({ runtime });
    assert.equal(await reasonOf(paydesk.me({ signal: caller.signal })), gaveUp);
    assert.deepEqual([pauses.length, server.requests.length], [1, 1]);
  });

  it('ends the wait of the real clock, too', async (test) => {
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

  it('that was aborted before sends nothing', async (test) => {
    const server = await scripted(test, json({}));
    assert.equal(await reasonOf(server.client().me({ signal: AbortSignal.abort(gaveUp) })), gaveUp);
    assert.equal(server.requests.length, 0);
  });

  it('is left as it was found, however often it is used', async (test) => {
    const server = await scripted(test, unavailable, json({}));
    const caller = new AbortController();
    for (let count = 0; count < 20; count += 1) await server.client().me({ signal: caller.signal });
    assert.deepEqual(getEventListeners(caller.signal, 'abort'), []);
  });
});
