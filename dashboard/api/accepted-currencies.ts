// The currencies that the merchant accepts, and the one that forms start with: what was chosen last in this browser.

import { useObject } from './queries.ts';
import { useScope } from './scope.ts';
import type { MerchantSettings } from './settings.ts';

const storageKey = 'paydesk.currency';

export function useAcceptedCurrencies(): { readonly currencies: readonly string[]; readonly preferred: string } {
  const scope = useScope();
  const { data } = useObject<MerchantSettings>('/settings');
  const wanted = localStorage.getItem(`${storageKey}.${scope?.merchant}`) ?? 'EUR';
  const currencies = data?.currencies ?? [wanted];
  return { currencies, preferred: currencies.includes(wanted) ? wanted : (currencies[0] ?? wanted) };
}

export function useRememberCurrency(): (currency: string) => void {
  const scope = useScope();
  return (currency) => localStorage.setItem(`${storageKey}.${scope?.merchant}`, currency);
}
