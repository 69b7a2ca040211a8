// Which payment methods cannot be used at the moment, because the account that serves them is down. The page marks them,
// so that the customer chooses another one at once instead of waiting for a provider that does not respond.

import type { Acquirers } from '../../acquirers/acquirers.ts';
import type { Payment } from '../../domain/life-cycle.ts';
import type { Merchant } from '../../domain/merchant.ts';
import type { PaymentMethodType } from '../../domain/payment-methods.ts';
import { serverOf } from '../../domain/serving-account.ts';
import type { Unavailability } from './views.ts';

export function unavailableMethods(
  acquirers: Pick<Acquirers, 'availability'>,
  { session }: Pick<Payment, 'session'>,
  { acquirers: accounts }: Pick<Merchant, 'acquirers'>,
): Map<PaymentMethodType, Unavailability> {
  const unavailable = new Map<PaymentMethodType, Unavailability>();
  for (const method of session.paymentMethodTypes) {
    const server = serverOf(accounts, session.livemode, method);
    if (server !== null && acquirers.availability(server.acquirerId) === 'down')
      unavailable.set(method, 'provider_down');
  }
  return unavailable;
}
