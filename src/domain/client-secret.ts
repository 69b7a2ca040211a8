// The client secret of a checkout session: whoever has it may read and pay that session, and nothing else. It contains
// the session's id, so that a page needs nothing but the secret to open the session.

import { timingSafeEqual } from 'node:crypto';
import type { CheckoutSession } from './checkout-session.ts';
import type { SecretBox } from './secret-box.ts';

type Identified = Pick<CheckoutSession, 'id' | 'paymentIntentId'>;

export function clientSecretOf(secretBox: Pick<SecretBox, 'derive'>, { id, paymentIntentId }: Identified): string {
  return `${paymentIntentId}_secret_${id.slice('cs_'.length)}${secretBox.derive('client secret', paymentIntentId)}`;
}

/** Takes equally long for every wrong secret of the right length. */
export function isClientSecretOf(secretBox: Pick<SecretBox, 'derive'>, session: Identified, given: string): boolean {
  const [actual, expected] = [Buffer.from(given), Buffer.from(clientSecretOf(secretBox, session))];
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
