// Which merchants can be filled with demo data: those that have nothing to do with real money.

import type { Merchant } from '../domain/merchant.ts';
import type { Store } from '../storage/store.ts';
import { type Country, countriesServedBy } from './countries.ts';

/** Demo data cannot be added to this merchant; the message says why and what to do. */
export interface NotForDemo {
  readonly problem: string;
}

const createOne = 'Create a merchant for it: paydesk merchant create --name "Demo shop"';

/** The countries that its customers can be from, or why it gets no demo data. */
export async function countriesFor(store: Store, merchant: Merchant): Promise<Country[] | NotForDemo> {
  const { id: merchantId, acquirers } = merchant;
  if (acquirers.some(({ livemode }) => livemode))
    return { problem: `${merchantId} takes real payments: it has an acquirer account in live mode. ${createOne}` };
  if ((await store.count('checkoutSessions', { scope: { merchantId, livemode: true } }, 1)) > 0)
    return { problem: `${merchantId} has data in live mode; demo data is only for test accounts. ${createOne}` };
  const [account] = acquirers;
  if (account !== undefined)
    return {
      problem: `test payments of ${merchantId} are made with ${account.id} (${account.provider}), and demo data only with the sandbox. Disable the account meanwhile: paydesk acquirer disable ${account.id}, or create another merchant: paydesk merchant create --name "Demo shop"`,
    };
  const countries = countriesServedBy(merchant);
  if (countries.length > 0) return countries;
  return {
    problem: `${merchantId} has no currency that the customers of the demo pay in, or none of their payment methods. Enable some: paydesk merchant update ${merchantId} --currencies EUR,GBP,USD --methods card,ideal`,
  };
}
