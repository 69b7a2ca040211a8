// Reads the client secret of a request, and what it opens. A wrong secret and a session that does not exist are answered
// alike.

import { isClientSecretOf } from '../domain/client-secret.ts';
import { refuse } from '../domain/errors.ts';
import { isId } from '../domain/ids.ts';
import type { Payment } from '../domain/life-cycle.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { SecretBox } from '../domain/secret-box.ts';
import type { Store } from '../storage/store.ts';
import type { HttpRequest } from './route.ts';

export interface Checkout extends Payment {
  readonly merchant: Merchant;
}

/** A client secret has 106 characters. */
const maxHeaderLength = 256;

export const wrongClientSecret = refuse(
  'client_secret_invalid',
  'Send the `client_secret` of this checkout session: `Authorization: Bearer pi_…_secret_…`. API keys are not accepted here.',
);

export function findCheckout(store: Pick<Store, 'findBy'>, sessionId: string): Promise<Checkout | null> {
  return isId('cs', sessionId) ? store.findBy('checkouts', 'id', sessionId) : Promise.resolve(null);
}

/** Whether the request carries the client secret of this session. */
export function hasClientSecret(
  secretBox: Pick<SecretBox, 'derive'>,
  { headers: { authorization = '' } }: Pick<HttpRequest, 'headers'>,
  { session }: Payment,
): boolean {
  if (authorization.length > maxHeaderLength) return false;
  const [, given] = /^bearer +(\S+) *$/i.exec(authorization) ?? [];
  return given !== undefined && isClientSecretOf(secretBox, session, given);
}
