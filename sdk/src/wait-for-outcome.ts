// The fallback for a webhook that does not arrive: retrieve the payment after 5 minutes, then about once a minute, until
// it has an outcome. The timeout applies to everything: it also ends pauses and requests.

import type { CheckoutSession, PaymentIntent, PaymentIntentStatus } from './api/resources.ts';
import { checkedId } from './check-params.ts';
import { PaydeskError, WaitTimeoutError } from './errors.ts';
import { checkTimeout } from './options.ts';
import { isTemporary } from './retry.ts';
import type { Runtime } from './runtime.ts';

export interface WaitOptions {
  /** How long to wait for the webhook before the first poll. 5 minutes by default; 0 polls immediately. */
  readonly firstPollAfterMs?: number | undefined;
  /** One minute by default; longer if the service requests it with `Retry-After`. */
  readonly pollEveryMs?: number | undefined;
  /** When to give up. 24 hours by default, because no session stays open longer. */
  readonly timeoutMs?: number | undefined;
  /** Abort it when the webhook arrives. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each poll with the payment or the error. Polling continues after a temporary error. */
  readonly onPoll?: ((seen: { readonly intent: PaymentIntent } | { readonly error: PaydeskError }) => void) | undefined;
}

export interface Waiting {
  readonly id: string;
  readonly get: (signal: AbortSignal) => Promise<PaymentIntent>;
  readonly getSession: (id: string, signal: AbortSignal) => Promise<CheckoutSession>;
  readonly runtime: Runtime;
}

/** Whether the merchant can act on the status. A decline is not an outcome while the customer can try again. */
const isOutcome: Readonly<Record<PaymentIntentStatus, boolean>> = {
  requires_payment_method: false,
  requires_action: false,
  processing: false,
  requires_capture: true,
  succeeded: true,
  canceled: true,
  expired: true,
};

/** The last poll starts this long before the deadline, or after half of the timeout, so that its response can arrive. */
const lastPollMs = 2_000;

export async function waitForOutcome(waiting: Waiting, options: WaitOptions = {}): Promise<PaymentIntent> {
  const { id, runtime } = waiting;
  const { firstPollAfterMs = 300_000, pollEveryMs = 60_000, timeoutMs = 86_400_000, signal } = options;
  checkedId(id);
  if (firstPollAfterMs !== 0) checkTimeout(firstPollAfterMs, 'firstPollAfterMs');
  checkTimeout(pollEveryMs, 'pollEveryMs');
  checkTimeout(timeoutMs);
  signal?.throwIfAborted();

  const deadline = runtime.now() + timeoutMs;
  const lastPollAt = deadline - Math.min(lastPollMs, timeoutMs / 2);
  let lastSeen = 'never seen';
  const end = new AbortController();
  const stopTimer = runtime.timer(timeoutMs, () => end.abort(timedOut(id, timeoutMs, lastSeen)));
  const onAbort = (): void => end.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  const sleepUntil = (at: number): Promise<void> => runtime.sleep(Math.max(0, at - runtime.now()), end.signal);
  try {
    for (let pauseMs = firstPollAfterMs, retryAfterMs = 0; ; pauseMs = pollEveryMs) {
      const now = runtime.now();
      const scheduledAt = now < lastPollAt ? Math.min(now + pauseMs, lastPollAt) : now + pauseMs;
      const pollAt = Math.max(scheduledAt, now + retryAfterMs);
      if (pollAt >= deadline) break;
      await sleepUntil(pollAt);
      const poll = await pollPayment(waiting, end.signal, options.onPoll);
      if ('error' in poll) {
        retryAfterMs = poll.error.retryAfterMs ?? 0;
        continue;
      }
      if (poll.isOutcome) return poll.intent;
      retryAfterMs = 0;
      lastSeen = poll.intent.status;
    }
    await sleepUntil(deadline);
    throw timedOut(id, timeoutMs, lastSeen);
  } finally {
    stopTimer();
    signal?.removeEventListener('abort', onAbort);
  }
}

type Poll =
  | { readonly intent: PaymentIntent; readonly isOutcome: boolean }
  /** A temporary error. */
  | { readonly error: PaydeskError };

async function pollPayment(waiting: Waiting, signal: AbortSignal, onPoll: WaitOptions['onPoll']): Promise<Poll> {
  try {
    const intent = await waiting.get(signal);
    onPoll?.({ intent });
    if (isOutcome[intent.status]) return { intent, isOutcome: true };
    return (await failedForGood(waiting, intent, signal)) ?? { intent, isOutcome: false };
  } catch (error) {
    if (!(error instanceof PaydeskError) || !isTemporary(error)) throw error;
    onPoll?.({ error });
    return { error };
  }
}

/**
 * A method that settles later completes its session first. If it then fails, the payment returns to its initial status,
 * but its session accepts no other payment. The payment is retrieved again: the customer may have paid in between.
 */
async function failedForGood(waiting: Waiting, intent: PaymentIntent, signal: AbortSignal): Promise<Poll | null> {
  if (intent.status !== 'requires_payment_method' || intent.last_payment_error === null) return null;
  const { status } = await waiting.getSession(intent.checkout_session, signal);
  if (status !== 'completed') return null;
  const now = await waiting.get(signal);
  return { intent: now, isOutcome: isOutcome[now.status] || now.status === 'requires_payment_method' };
}

function timedOut(id: string, timeoutMs: number, lastSeen: string): WaitTimeoutError {
  return new WaitTimeoutError({
    type: 'wait_timeout_error',
    code: 'outcome_unknown',
    message: `The payment ${id} had no outcome within ${timeoutMs} ms; its last status was: ${lastSeen}. It may still get one: wait for its webhook, call waitForOutcome again, or retrieve it with \`paymentIntents.get\`.`,
  });
}
