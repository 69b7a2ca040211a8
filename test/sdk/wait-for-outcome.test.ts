// The fallback for a webhook that does not arrive: waits 5 minutes, then polls every minute until there is an outcome.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Fetch,
  InvalidRequestError,
  type Paydesk,
  type WaitOptions,
  WaitTimeoutError,
} from '../../sdk/src/paydesk.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';
import { clientOf, fakeTime, hang, json, refused, rejectedWith, scripted } from './scene.ts';

const minute = 60_000;
const declined = ['declined', { lastPaymentError: { code: 'card_declined', message: 'No.' } }] as const;

describeOnEachEngine('Waiting for the outcome of a payment', (engine) => {
  const server = paydeskForSuite(engine);

  /** `during` is called after each pause with the number of pauses so far. */
  async function scene(during: (count: number) => unknown = () => {}, fields = {}) {
    const merchant = await server().newMerchant();
    const session = await merchant.newSession(fields);
    const { runtime, pauses } = fakeTime((count) => during(count));
    const seen: string[] = [];
    const paydesk = (fetch?: Fetch): Paydesk => clientOf(server(), merchant, { runtime, fetch, maxRetries: 0 });
    const onPoll: WaitOptions['onPoll'] = (poll) =>
      seen.push('intent' in poll ? poll.intent.status : String(poll.error.code));
    return { merchant, session, id: String(session.payment_intent), pauses, seen, paydesk, onPoll };
  }

  it('polls after 5 minutes and then every minute while the customer pays', async () => {
    const steps: Record<number, () => Promise<unknown>> = {};
    const { merchant, session, id, pauses, seen, paydesk, onPoll } = await scene((count) => steps[count]?.());
    steps[2] = () => merchant.moveOn(session.id, 'action_needed');
    steps[3] = () => merchant.moveOn(session.id, 'action_passed');
    steps[5] = () => merchant.moveOn(session.id, 'captured');
    const intent = await paydesk().paymentIntents.waitForOutcome(id, { onPoll });
    assert.deepEqual([intent.id, intent.status], [id, 'succeeded']);
    assert.deepEqual(seen, ['requires_payment_method', 'requires_action', 'processing', 'processing', 'succeeded']);
    assert.deepEqual(pauses, [5 * minute, minute, minute, minute, minute]);
  });

  it('ends with each outcome that a merchant can act on', async () => {
    const outcomes = [
      ['succeeded', 'pay', 'captured'],
      ['requires_capture', 'pay', 'authorised'],
      ['canceled', 'cancel'],
      ['expired', 'session_expired'],
    ] as const;
    for (const [status, ...triggers] of outcomes) {
      const { merchant, session, id, pauses, paydesk } = await scene();
      await merchant.moveOn(session.id, ...triggers);
      const intent = await paydesk().paymentIntents.waitForOutcome(id);
      assert.deepEqual([intent.status, pauses], [status, [5 * minute]]);
    }
  });

  it('continues after a decline, since the customer can try again', async () => {
    const steps: Record<number, () => Promise<unknown>> = {};
    const { merchant, session, id, pauses, paydesk } = await scene((count) => steps[count]?.());
    steps[1] = () => merchant.moveOn(session.id, 'pay', 'declined');
    steps[2] = () => merchant.moveOn(session.id, 'pay', 'captured');
    assert.equal((await paydesk().paymentIntents.waitForOutcome(id)).status, 'succeeded');
    assert.equal(pauses.length, 2);
  });

  it('ends when a delayed method has failed, since its session accepts no other payment', async () => {
    const steps: Record<number, () => Promise<unknown>> = {};
    const { merchant, session, id, pauses, seen, paydesk, onPoll } = await scene((count) => steps[count]?.());
    steps[1] = () => merchant.moveOn(session.id, 'pay', 'customer_done');
    steps[3] = () => merchant.moveOn(session.id, declined);
    const intent = await paydesk().paymentIntents.waitForOutcome(id, { onPoll });
    assert.equal(intent.status, 'requires_payment_method');
    assert.notEqual(intent.last_payment_error, null);
    assert.deepEqual(seen, ['processing', 'processing', 'requires_payment_method']);
    assert.equal(pauses.length, 3);
  });

  it('does not end with a decline if the customer pays between two polls', async () => {
    const { merchant, session, id, pauses, paydesk } = await scene();
    await merchant.moveOn(session.id, 'pay', declined);
    let paid = false;
    const slow: Fetch = async (url, init) => {
      if (!paid && url.includes('/checkout-sessions/')) {
        paid = true;
        await merchant.moveOn(session.id, 'pay', 'captured');
      }
      return fetch(url, init);
    };
    assert.equal((await paydesk(slow).paymentIntents.waitForOutcome(id)).status, 'succeeded');
    assert.ok(paid);
    assert.equal(pauses.length, 1);
  });

  it('uses the given intervals, and can poll immediately', async () => {
    const { id, pauses, paydesk } = await scene();
    const options = { firstPollAfterMs: 0, pollEveryMs: 7_000, timeoutMs: 20_000 };
    await rejectedWith(WaitTimeoutError, paydesk().paymentIntents.waitForOutcome(id, options));
    assert.deepEqual(pauses, [0, 7_000, 7_000, 4_000, 2_000], 'the last poll has two seconds for a response');
  });

  it('gives up after a last poll, and reports the status of the payment', async () => {
    const { merchant, session, id, pauses, seen, paydesk, onPoll } = await scene();
    await merchant.moveOn(session.id, 'pay');
    const waiting = paydesk().paymentIntents.waitForOutcome(id, { timeoutMs: 6.5 * minute, onPoll });
    const error = await rejectedWith(WaitTimeoutError, waiting);
    assert.deepEqual([error.code, error.type], ['outcome_unknown', 'wait_timeout_error']);
    assert.ok(error.message.includes(id) && error.message.includes('processing'), error.message);
    assert.deepEqual(pauses, [5 * minute, minute, minute / 2 - 2_000, 2_000]);
    assert.equal(seen.length, 3);
    const short = await scene();
    await rejectedWith(
      WaitTimeoutError,
      short.paydesk().paymentIntents.waitForOutcome(short.id, { timeoutMs: minute }),
    );
    assert.deepEqual(short.pauses, [minute - 2_000, 2_000]);
  });

  it('gives up after a day by default', async () => {
    const { id, pauses, paydesk } = await scene();
    const options = { pollEveryMs: 60 * minute };
    await rejectedWith(WaitTimeoutError, paydesk().paymentIntents.waitForOutcome(id, options));
    assert.equal(
      pauses.reduce((sum, ms) => sum + ms),
      24 * 60 * minute,
    );
  });

  it('survives a temporary outage of the service', async () => {
    let failures = 2;
    const failing: Fetch = (url, init) => {
      failures -= 1;
      return failures < 0 ? fetch(url, init) : Promise.reject(new TypeError('fetch failed'));
    };
    const { merchant, session, id, seen, pauses, paydesk, onPoll } = await scene();
    await merchant.moveOn(session.id, 'cancel');
    const intent = await paydesk(failing).paymentIntents.waitForOutcome(id, { onPoll });
    assert.equal(intent.status, 'canceled');
    assert.deepEqual(seen, ['connection_failed', 'connection_failed', 'canceled']);
    assert.deepEqual(pauses, [5 * minute, minute, minute]);
    const dead: Fetch = () => Promise.reject(new TypeError('fetch failed'));
    const error = await rejectedWith(WaitTimeoutError, paydesk(dead).paymentIntents.waitForOutcome(id));
    assert.match(error.message, /never seen/);
  });

  it('ends if polling cannot help', async () => {
    const { session, pauses, paydesk } = await scene();
    const other = String(session.payment_intent).replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    const error = await rejectedWith(InvalidRequestError, paydesk().paymentIntents.waitForOutcome(other));
    assert.deepEqual([error.code, pauses.length], ['payment_intent_not_found', 1]);
  });

  it('ends when its signal is aborted, for example by a late webhook', async () => {
    const arrived = new Error('the webhook came');
    for (const pause of [1, 3]) {
      const webhook = new AbortController();
      const { id, seen, paydesk, onPoll } = await scene((count) => count === pause && webhook.abort(arrived));
      const waiting = paydesk().paymentIntents.waitForOutcome(id, { signal: webhook.signal, onPoll });
      await assert.rejects(waiting, arrived);
      assert.equal(seen.length, pause - 1);
    }
    const { id, pauses, paydesk } = await scene();
    const aborted = { signal: AbortSignal.abort(arrived) };
    await assert.rejects(paydesk().paymentIntents.waitForOutcome(id, aborted), arrived);
    assert.deepEqual(pauses, []);
  });

  it('rejects invalid intervals', async () => {
    const { id, pauses, paydesk } = await scene();
    for (const option of ['firstPollAfterMs', 'pollEveryMs', 'timeoutMs']) {
      for (const value of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
        const waiting = paydesk().paymentIntents.waitForOutcome(id, { [option]: value });
        const error = await rejectedWith(InvalidRequestError, waiting);
        assert.deepEqual([error.code, error.param], ['option_invalid', option]);
      }
    }
    assert.deepEqual(pauses, []);
  });

  it('rejects an invalid id immediately, not after 5 minutes', async () => {
    const { pauses, paydesk } = await scene();
    for (const id of [undefined, '', 'undefined']) {
      const error = await rejectedWith(InvalidRequestError, paydesk().paymentIntents.waitForOutcome(id as string));
      assert.deepEqual([error.code, error.param], ['parameter_invalid', 'id']);
    }
    assert.deepEqual(pauses, []);
  });
});

describe('The timeout of waiting for an outcome', () => {
  it('aborts a request without a response', async (test) => {
    for (const inBody of [false, true]) {
      const closed = Promise.withResolvers<void>();
      const server = await scripted(test, hang({ inBody, onClosed: closed.resolve }));
      const waiting = server
        .client({ runtime: {} })
        .paymentIntents.waitForOutcome('pi_1', { firstPollAfterMs: 0, timeoutMs: 500 });
      await rejectedWith(WaitTimeoutError, waiting);
      await closed.promise;
      assert.equal(server.requests.length, 1, 'not the timeout of a request, which would be retried');
    }
  });

  it('aborts the pauses between retries', async (test) => {
    const server = await scripted(test, refused(503, ['api_error', 'storage_unavailable'], { 'Retry-After': '60' }));
    const waiting = server
      .client({ runtime: {} })
      .paymentIntents.waitForOutcome('pi_1', { firstPollAfterMs: 0, timeoutMs: 500 });
    await rejectedWith(WaitTimeoutError, waiting);
    assert.equal(server.requests.length, 1);
  });

  it('leaves time for a last poll, even if the first would be later', async (test) => {
    const server = await scripted(test, json({ id: 'pi_1', status: 'succeeded' }));
    const intent = await server.client().paymentIntents.waitForOutcome('pi_1', { timeoutMs: 500 });
    assert.equal(intent.status, 'succeeded');
    assert.deepEqual(server.pauses, [250]);
  });

  it('is not extended by Retry-After, which is respected within it', async (test) => {
    const processing = json({ id: 'pi_1', status: 'processing' });
    const limited = (seconds: number) =>
      refused(429, ['rate_limit_error', 'rate_limited'], { 'Retry-After': String(seconds) });
    const server = await scripted(test, limited(90), processing, limited(3_600), processing);
    const waiting = server.client({ maxRetries: 0 }).paymentIntents.waitForOutcome('pi_1', { timeoutMs: 20 * minute });
    const error = await rejectedWith(WaitTimeoutError, waiting);
    assert.match(error.message, /processing/);
    assert.equal(server.requests.length, 3);
    assert.deepEqual(server.pauses, [5 * minute, 1.5 * minute, minute, 12.5 * minute]);
  });
});
