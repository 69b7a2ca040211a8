// The fallback of the specification for a webhook that does not arrive: look the payment up after 5 minutes, then about
// once a minute, until it has an outcome.

import type { PaymentIntent, PaymentIntentStatus } from './api/resources.ts';
import { PaydeskError, WaitTimeoutError } from './errors.ts';
import { checkTimeout } from './options.ts';
import { mayPass } from './retry.ts';
import type { Runtime } from './runtime.ts';

export interface WaitOptions {
  /** How long the webhook is given, from this call on. 5 minutes unless told; 0: look at once. */
  readonly firstPollAfterMs?: number | undefined;
  /** A minute unless told. */
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
  readonly get: (signal: AbortSignal | undefined) => Promise<PaymentIntent>;
  readonly runtime: Runtime;
}

/** Whether the merchant can act on it. A declined payment is none: the customer may try again until the session ends. */
const isOutcome: Readonly<Record<PaymentIntentStatus, boolean>> = {
  requires_payment_method: false,
  requires_action: false,
  processing: false,
  requires_capture: true,
  succeeded: true,
  canceled: true,
  expired: true,
};

export async function waitForOutcome(waiting: Waiting, options: WaitOptions = {}): Promise<PaymentIntent> {
  const { id, runtime } = waiting;
  const { firstPollAfterMs = 300_000, pollEveryMs = 60_000, timeoutMs = 86_400_000, signal } = options;
  if (firstPollAfterMs !== 0) checkTimeout(firstPollAfterMs, 'firstPollAfterMs');
  checkTimeout(pollEveryMs, 'pollEveryMs');
  checkTimeout(timeoutMs);
  signal?.throwIfAborted();
  const deadline = runtime.now() + timeoutMs;
  let lastSeen = 'never seen';
  for (let delayMs = firstPollAfterMs; ; delayMs = pollEveryMs) {
    // The last look is at the deadline, however the pace falls.
    await runtime.sleep(Math.max(0, Math.min(delayMs, deadline - runtime.now())), signal);
    const seen = await look(waiting, options);
    if (seen !== null && isOutcome[seen.status]) return seen;
    if (seen !== null) lastSeen = seen.status;
    if (runtime.now() >= deadline) throw gaveUp(id, timeoutMs, lastSeen);
  }
}

async function look({ get }: Waiting, { signal, onPoll }: WaitOptions): Promise<PaymentIntent | null> {
  try {
    const intent = await get(signal);
    onPoll?.({ intent });
    return intent;
  } catch (error) {
    if (!(error instanceof PaydeskError) || !mayPass(error)) throw error;
    onPoll?.({ error });
    return null;
  }
}

function gaveUp(id: string, timeoutMs: number, lastSeen: string): WaitTimeoutError {
  return new WaitTimeoutError({
    type: 'wait_timeout_error',
    code: 'outcome_unknown',
    message: `The payment ${id} had no outcome within ${timeoutMs} ms; it was ${lastSeen}. It may still get one: go on waiting for its webhook, wait again, or look it up with \`paymentIntents.get\`.`,
  });
}
