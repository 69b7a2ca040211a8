// A browser that has signed in before, as one user. Its attempts are counted by themselves: otherwise, anybody who keeps
// failing to sign in as that user could keep them waiting forever. The token is signed for the user's address; nothing is
// stored.

import { timingSafeEqual } from 'node:crypto';
import { base32Digits, type Random } from './ids.ts';
import type { SecretBox } from './secret-box.ts';

const nonceLength = 20;

export function newDeviceToken(box: SecretBox, email: string, random: Random): string {
  const nonce = base32Digits(random(nonceLength));
  return `${nonce}.${proof(box, email, nonce)}`;
}

/** What attempts of this browser are counted as; null if it has not signed in as that user. */
export function deviceOf(box: SecretBox, email: string, token: string): string | null {
  const [nonce = '', given = ''] = token.split('.');
  const [one, other] = [Buffer.from(given), Buffer.from(proof(box, email, nonce))];
  return one.length === other.length && timingSafeEqual(one, other) ? `${nonce} ${email}` : null;
}

function proof(box: SecretBox, email: string, nonce: string): string {
  return box.derive('known device', `${nonce} ${email}`);
}
