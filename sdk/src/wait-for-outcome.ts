// The fallback of the specification for a webhook that does not arrive: look the payment up after 5 minutes, then about
// once a minute, until it has an outcome. The time-out holds for everything: pauses and requests are cut off at its end.

import type { CheckoutSession, PaymentIntent, PaymentIntentStatus } from './api/resources.ts';
import { checkedId } from './check-params.ts';
import { PaydeskError, WaitTimeoutError } from './errors.ts';
import { checkTimeout } from './options.ts';
import { mayPass } from './retry.ts';
import type { Runtime } from './runtime.ts';

export interface WaitOptions {
  /** How long the webhook is given, from this call on. 5 minutes unless told; 0: look at once. */
  readonly firstPollAfterMs?: number | undefined;
  /** A minute unless told; longer where the service asks for it with `Retry-After`. */
  readonly pollEveryMs?: number | undefined;
  /** When to give up, from this call on. 24 hours unless told: no session is open for longer. */
  readonly timeoutMs?: number | undefined;
  /** Abort it when the webhook has come. */
  readonly signal?: AbortSignal | undefined;
  /** Told of each look: what was seen, or why nothing was. After an error that may pass, it goes on looking. */
  readonly onPoll?: ((seen: { readonly intent: PaymentIntent } | { readonly error: PaydeskError }) => void) | undefined;
}

export interface Waiting {
  readonly id: string;
  readonly get: (signal: AbortSignal) => Promise<PaymentIntent>;
  readonly getSession: (id: string, signal: AbortSignal) => Promise<CheckoutSession>;
  readonly runtime: Runtime;
}

/** Whether the merchant can act on it. A declined payment is none while the customer may try again. */
const isOutcome: Readonly<Record<PaymentIntentStatus, boolean>> = {
  requires_payment_method: false,
  requires_action: false,
  processing: false,
  requires_capture: true,
  succeeded: true,
  canceled: true,
  expired: true,
};

/** One look is begun this long before the end, or half of the time before it, so that its answer can still arrive. */
const lastLookMs = 2_000;

export async function waitForOutcome(waiting: Waiting, options: WaitOptions = {}): Promise<PaymentIntent> {
  const { id, runtime } = waiting;
  const { firstPollAfterMs = 300_000, pollEveryMs = 60_000, timeoutMs = 86_400_000, signal } = options;
  checkedId(id);
  if (firstPollAfterMs !== 0) checkTimeout(firstPollAfterMs, 'firstPollAfterMs');
  checkTimeout(pollEveryMs, 'pollEveryMs');
  checkTimeout(timeoutMs);
  signal?.throwIfAborted();

  const deadline = runtime.now() + timeoutMs;
  const lastLookAt = deadline - Math.min(lastLookMs, timeoutMs / 2);
  let lastSeen = 'never seen';
  const end = new AbortController();
  const stopTimer = runtime.timer(timeoutMs, () => end.abort(gaveUp(id, timeoutMs, lastSeen)));
  const onAbort = (): void => end.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  const sleepUntil = (at: number): Promise<void> => runtime.sleep(Math.max(0, at - runtime.now()), end.signal);
  try {
    for (let pauseMs = firstPollAfterMs, retryAfterMs = 0; ; pauseMs = pollEveryMs) {
      const now = runtime.now();
      const inTurn = now < lastLookAt ? Math.min(now + pauseMs, lastLookAt) : now + pauseMs;
      const lookAt = Math.max(inTurn, now + retryAfterMs);
      if (lookAt >= deadline) break;
      await sleepUntil(lookAt);
      const look = await lookAtPayment(waiting, end.signal, options.onPoll);
      if ('error' in look) {
        retryAfterMs = look.error.retryAfterMs ?? 0;
        continue;
      }
      if (look.isOutcome) return look.intent;
      retryAfterMs = 0;
      lastSeen = look.intent.status;
    }
    await sleepUntil(deadline);
    throw gaveUp(id, timeoutMs, lastSeen);
  } finally {
    stopTimer();
    signal?.removeEventListener('abort', onAbort);
  }
}

type Look =
  | { readonly intent: PaymentIntent; readonly isOutcome: boolean }
  /** One that may pass. */
  | { readonly error: PaydeskError };

async function lookAtPayment(waiting: Waiting, signal: AbortSignal, onPoll: WaitOptions['onPoll']): Promise<Look> {
  try {
    const intent = await waiting.get(signal);
    onPoll?.({ intent });
    if (isOutcome[intent.status]) return { intent, isOutcome: true };
    return (await failedForGood(waiting, intent, signal)) ?? { intent, isOutcome: false };
  } catch (error) {
    if (!(error instanceof PaydeskError) || !mayPass(error)) throw error;
    onPoll?.({ error });
    return { error };
  }
}

/**
 * A method that settles later completes its session first. If it fails then, the payment is back at its begin, but its
 * session takes no other payment. It is looked up once more: the customer may have paid between the two look-ups.
 */
async function failedForGood(waiting: Waiting, intent: PaymentIntent, signal: AbortSignal): Promise<Look | null> {
  if (intent.status !== 'requires_payment_method' || intent.last_payment_error === null) return null;
  const { status } = await waiting.getSession(intent.checkout_session, signal);
  if (status !== 'completed') return null;
  const now = await waiting.get(signal);
  return { intent: now, isOutcome: isOutcome[now.status] || now.status === 'requires_payment_method' };
}

function gaveUp(id: string, timeoutMs: number, lastSeen: string): WaitTimeoutError {
  return new WaitTimeoutError({
    type: 'wait_timeout_error',
    code: 'outcome_unknown',
    message: `The payment ${id} had no outcome within ${timeoutMs} ms; it was ${lastSeen}. It may still get one: go on waiting for its webhook, wait again, or look it up with \`paymentIntents.get\`.`,
  });
}
