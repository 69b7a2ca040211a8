// Which account serves a payment. The enabled accounts of a merchant are stored with the merchant, so that creating a
// session and showing the page need no further look-up.

import type { PaymentMethodType } from './payment-methods.ts';

/** An enabled account, as far as it matters for choosing one. */
export interface ServingAccount {
  readonly id: string;
  readonly livemode: boolean;
  readonly provider: string;
  readonly methods: readonly PaymentMethodType[];
}

/** Who serves a method. `acquirerId`: the account; null: the sandbox. */
export interface Server {
  readonly acquirerId: string | null;
  readonly provider: string;
}

const sandbox: Server = { acquirerId: null, provider: 'sandbox' };

/**
 * The oldest account that lists the method. In test mode, the sandbox serves the methods that no account lists; in live
 * mode, nobody does.
 */
export function serverOf(
  accounts: readonly ServingAccount[],
  livemode: boolean,
  method: PaymentMethodType,
): Server | null {
  const account = accounts.find((one) => one.livemode === livemode && one.methods.includes(method));
  if (account !== undefined) return { acquirerId: account.id, provider: account.provider };
  return livemode ? null : sandbox;
}
