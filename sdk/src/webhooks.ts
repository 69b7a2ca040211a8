// Webhooks on the merchant's side: from the raw request to an event that can be trusted. Needs no client and no API key.

import { createHmac } from 'node:crypto';
import type { Event } from './api/events.ts';
import { misuse, SignatureError } from './errors.ts';
import { verifyWebhook, type WebhookToVerify } from './verify-webhook.ts';

export interface ConstructEventOptions {
  /** How far the time of signing may be from now, in either direction. 300 unless told. */
  readonly toleranceSeconds?: number | undefined;
  /** The current time, for tests: by default that of this machine. */
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
   * The event of a webhook, once its signature is found right. Throws a `SignatureError` otherwise, whose `code` is the
   * reason: answer 400 then. An event may be of a type that this version does not know; answer 2xx and ignore it.
   *
   * @param rawBody The body as it arrived, before any parsing: bytes or text.
   * @param header The value of the header `Service-Signature`, as the framework gives it.
   * @param secrets The secret of the endpoint (`whsec_…`); while it is being rotated, the old one and the next.
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
    // Signed by the service, whose schemas the types are made from.
    if (verdict.ok) return verdict.event as Event;
    const { reason: code, message } = verdict;
    throw new SignatureError({
      type: 'signature_error',
      code,
      message: code === 'options_invalid' ? optionsRule : message,
    });
  },

  /** A `Service-Signature` header for the tests of a receiver: what Paydesk would send with this body. */
  signTestHeader({ rawBody, secret, timestampSeconds = Math.floor(Date.now() / 1000) }: TestSignature): string {
    if (typeof secret !== 'string' || secret === '')
      throw misuse(
        'option_invalid',
        'secret',
        '`secret` must be the secret that the receiver knows, such as whsec_test.',
      );
    if (!Number.isSafeInteger(timestampSeconds) || timestampSeconds < 0)
      throw misuse('option_invalid', 'timestampSeconds', '`timestampSeconds` must be whole seconds since 1970.');
    const signature = createHmac('sha256', secret).update(`${timestampSeconds}.`).update(rawBody).digest('hex');
    return `t=${timestampSeconds},v1=${signature}`;
  },
} as const;

const optionsRule =
  'The options of constructEvent are numbers of seconds: toleranceSeconds from 0 up, and nowSeconds as Date.now() / 1000.';
