// What the list of payments shows, as it stands in the address bar.

export interface PaymentSearch {
  readonly status?: string;
  readonly q?: string;
  readonly from?: string;
  readonly to?: string;
  readonly min?: string;
  readonly max?: string;
  readonly currency?: string;
  readonly method?: string;
  readonly payment_link?: string;
}

const names = ['status', 'q', 'from', 'to', 'min', 'max', 'currency', 'method', 'payment_link'] as const;

export function paymentSearch(search: Record<string, unknown>): PaymentSearch {
  const given = names.flatMap((name) => {
    const value = search[name];
    return (typeof value === 'string' && value !== '') || typeof value === 'number' ? [[name, String(value)]] : [];
  });
  return Object.fromEntries(given);
}
