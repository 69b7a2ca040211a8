// Webhooks on the merchant's side: from the raw request to a verified event. Needs no client and no API key.

import { createHmac } from 'node:crypto';
import type { Event } from './api/events.ts';
import { misuse, SignatureError } from './errors.ts';
import { verifyWebhook, type WebhookToVerify } from './verify-webhook.ts';

export interface ConstructEventOptions {
  /** The maximum difference between the time of signing and now, in either direction. 300 by default. */
  readonly toleranceSeconds?: number | undefined;
  /** The current time, for tests: by default the clock of this machine. */
  readonly nowSeconds?: number | undefined;
}

export interface TestSignature {
  /** The body as it will be sent. */
  readonly rawBody: string | Uint8Array;
  /** The secret that the receiver under test knows. */
  readonly secret: string;
  /** When it was signed: by default now. */
  readonly timestampSeconds?: number | undefined;
}

export const webhooks = {
  /**
   * Returns the event of a webhook if its signature is valid. Otherwise throws a `SignatureError`, whose `code` is the
   * reason: respond with 400. An event may have a type that this version does not know: respond with 2xx and ignore it.
   *
   * @param rawBody The body as received, before any parsing: bytes or a string.
   * @param header The value of the header `Service-Signature`, as provided by the framework.
   * @param secrets The secret of the endpoint (`whsec_…`); during a rotation, the old one and the new one.
   */
  constructEvent(
    rawBody: WebhookToVerify['rawBody'],
    header: WebhookToVerify['header'],
    secrets: string | readonly string[] | undefined,
    options: ConstructEventOptions = {},
  ): Event {
    const { toleranceSeconds, nowSeconds = Date.now() / 1000 } = options;
    const list = typeof secrets === 'string' ? [secrets] : (secrets ?? []);
    const verdict = verifyWebhook({ rawBody, header, secrets: list, nowSeconds, toleranceSeconds });
    // Signed by the service, from whose schemas the types are generated.
    if (verdict.ok) return verdict.event as Event;
    const { reason: code, message } = verdict;
    throw new SignatureError({
      type: 'signature_error',
      code,
      message: code === 'options_invalid' ? optionsRule : message,
    });
  },

  /** Returns a `Service-Signature` header for tests of a receiver: what Paydesk would send with this body. */
  signTestHeader({ rawBody, secret, timestampSeconds = Math.floor(Date.now() / 1000) }: TestSignature): string {
    if (typeof secret !== 'string' || secret === '')
      throw misuse(
        'option_invalid',
        'secret',
        '`secret` must be the secret that the receiver knows, such as whsec_test.',
      );
    if (!Number.isSafeInteger(timestampSeconds) || timestampSeconds < 0)
      throw misuse(
        'option_invalid',
        'timestampSeconds',
        '`timestampSeconds` must be an integer number of seconds since 1970.',
      );
    const signature = createHmac('sha256', secret).update(`${timestampSeconds}.`).update(rawBody).digest('hex');
    return `t=${timestampSeconds},v1=${signature}`;
  },
} as const;

const optionsRule =
  'The options of constructEvent are in seconds: toleranceSeconds must be at least 0, and nowSeconds is Date.now() / 1000.';
