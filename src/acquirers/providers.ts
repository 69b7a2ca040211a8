// The providers that accounts can be made for. A provider is loaded when an account of it is first used, and what it
// depends on with it.

import type { Provider } from './provider.ts';

export type Providers = Readonly<Record<string, () => Promise<Provider>>>;

export const providers: Providers = {
  stripe: async () => (await import('./stripe/stripe.ts')).stripe,
  mollie: async () => (await import('./mollie/provider.ts')).mollie,
};

/** Null if there is no such provider. */
export async function loadProvider(known: Providers, name: string): Promise<Provider | null> {
  const load = Object.entries(known).find(([one]) => one === name)?.[1];
  return load === undefined ? null : load();
}
