// The signature of a webhook. It proves to the receiver who sent it and when, and that no byte was changed.

import { createHmac } from 'node:crypto';
import { base32Digits, type Random } from './ids.ts';

/** Five random bits each: 200. */
const secretLength = 40;

/** The literal string is the HMAC key; no part of it is decoded. */
export function newWebhookSecret(random: Random): string {
  return `whsec_${base32Digits(random(secretLength))}`;
}

/**
 * The value of the header `Service-Signature`. It always has one `t` and one `v1`, because some receivers are strict.
 *
 * 2.4 to 4 µs for a body of 300 bytes. A cached key object, one concatenated string, and HMAC on top of the one-shot
 * `hash` were measured: none is faster by more than the noise.
 */
export function signWebhook(secret: string, timestampSeconds: number, body: Uint8Array | string): string {
  if (secret === '') throw new RangeError('a webhook must not be signed with an empty secret: anyone could sign');
  if (!Number.isSafeInteger(timestampSeconds) || timestampSeconds < 0)
    throw new RangeError('the timestamp of a webhook must be an integer number of seconds');
  const signature = createHmac('sha256', secret).update(`${timestampSeconds}.`).update(body).digest('hex');
  return `t=${timestampSeconds},v1=${signature}`;
}
