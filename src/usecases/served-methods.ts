// Which of the offered methods can be paid with: an account or the sandbox serves them, and the provider can make the
// charge. Amounts are never rounded.

import type { Acquirers } from '../acquirers/acquirers.ts';
import type { Charge } from '../acquirers/provider.ts';
import { isRefusal, type Refusal, refuse } from '../domain/errors.ts';
import type { Merchant } from '../domain/merchant.ts';
import { offeredMethods, type PaymentMethodType } from '../domain/payment-methods.ts';
import { type ServingAccount, serverOf } from '../domain/serving-account.ts';

export interface WantedCharge extends Omit<Charge, 'method'> {
  readonly livemode: boolean;
}

const noLiveAccount = refuse(
  'live_mode_not_configured',
  'No acquirer account serves any of these payment methods in live mode, so real payments are not possible yet. Add one in the settings of the dashboard or with `paydesk acquirer add --live`, or use test mode (sk_test_…) for now.',
);

/** The methods that a customer is offered: the requested ones, or all that the merchant has enabled and can be used. */
export async function methodsFor(
  acquirers: Pick<Acquirers, 'refuseCharge'>,
  merchant: Pick<Merchant, 'acquirers' | 'paymentMethodTypes'>,
  requested: readonly PaymentMethodType[] | undefined,
  charge: WantedCharge,
): Promise<readonly PaymentMethodType[] | Refusal> {
  const offered = offeredMethods(requested, merchant.paymentMethodTypes, charge.currency);
  if (isRefusal(offered)) return offered;
  // In test mode without accounts, the sandbox serves them all.
  if (!charge.livemode && merchant.acquirers.length === 0) return offered;
  return servedMethods(acquirers, merchant.acquirers, offered, charge, { requested: requested !== undefined });
}

/** `requested`: the merchant asked for exactly these methods. Otherwise those that cannot be used are left out. */
export async function servedMethods(
  acquirers: Pick<Acquirers, 'refuseCharge'>,
  accounts: readonly ServingAccount[],
  methods: readonly PaymentMethodType[],
  charge: WantedCharge,
  { requested }: { requested: boolean },
): Promise<readonly PaymentMethodType[] | Refusal> {
  const served: PaymentMethodType[] = [];
  const refusals: Refusal[] = [];
  for (const method of methods) {
    const refusal = await refuseMethod(acquirers, accounts, method, charge);
    if (refusal === null) served.push(method);
    else refusals.push(refusal);
  }
  const [first] = refusals;
  if (served.length > 0 && (!requested || first === undefined)) return served;
  const nobody = served.length === 0 && refusals.every(({ refused }) => refused === 'payment_method_not_enabled');
  if (first === undefined || nobody) return noLiveAccount;
  // The reason of a provider says more than that another method has no account.
  return refusals.find(({ refused }) => refused !== 'payment_method_not_enabled') ?? first;
}

/** Null if the method can be used for this charge. */
async function refuseMethod(
  acquirers: Pick<Acquirers, 'refuseCharge'>,
  accounts: readonly ServingAccount[],
  method: PaymentMethodType,
  { livemode, currency, amount, captureMethod }: WantedCharge,
): Promise<Refusal | null> {
  const server = serverOf(accounts, livemode, method);
  if (server === null) {
    const message = `No acquirer account serves \`${method}\` in live mode. Add one in the settings of the dashboard or with \`paydesk acquirer add\`, or remove the method from the list.`;
    return refuse('payment_method_not_enabled', message, 'payment_method_types');
  }
  if (server.acquirerId === null) return null;
  const refusal = await acquirers.refuseCharge(server.provider, { method, currency, amount, captureMethod });
  return refusal && refuse(refusal.code, refusal.message, refusal.param);
}
