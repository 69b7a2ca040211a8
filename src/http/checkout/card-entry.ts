// Where the customer of a session enters a card, which depends on the account that serves cards.

import { AcquirerSilent } from '../../acquirers/acquirer.ts';
import type { Acquirers } from '../../acquirers/acquirers.ts';
import type { Payment } from '../../domain/life-cycle.ts';
import type { Merchant } from '../../domain/merchant.ts';
import { serverOf } from '../../domain/serving-account.ts';
import type { CardEntry } from './views.ts';

/** `unavailable`: the account cannot be used, or not for this amount. */
export async function cardEntryOf(
  acquirers: Pick<Acquirers, 'cardFields' | 'refuseCharge'>,
  { intent, session }: Payment,
  { acquirers: accounts }: Pick<Merchant, 'acquirers'>,
): Promise<CardEntry | 'unavailable'> {
  const { merchantId, livemode } = session;
  const { amount, currency, captureMethod } = intent;
  const server = serverOf(accounts, livemode, 'card');
  if (server === null) return 'unavailable';
  const { acquirerId, provider } = server;
  if (acquirerId === null) return 'own_fields';
  // Accepted by whoever served cards when the session was created.
  const charge = { amount, currency, captureMethod };
  if ((await acquirers.refuseCharge(provider, { ...charge, method: 'card' })) !== null) return 'unavailable';
  try {
    const fields = await acquirers.cardFields({ acquirerId, merchantId, livemode }, charge);
    return fields ?? 'redirect';
  } catch (error) {
    if (error instanceof AcquirerSilent) return 'unavailable';
    throw error;
  }
}
