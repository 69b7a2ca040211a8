// The states of a payment link, its price and its uses, in words.

import type { PaymentLinkBody } from '../../../src/http/dashboard/api-types.ts';
import { Badge, type Tone } from '../../components/badge.tsx';
import { formatMoney } from '../../components/money.tsx';

type Status = PaymentLinkBody['status'];

export const linkStatuses: Readonly<Record<Status, { readonly label: string; readonly tone: Tone }>> = {
  active: { label: 'Active', tone: 'good' },
  inactive: { label: 'Inactive', tone: 'neutral' },
  expired: { label: 'Expired', tone: 'neutral' },
  completed: { label: 'Completed', tone: 'busy' },
};

export function LinkStatus({ status }: { readonly status: Status }) {
  const { label, tone } = linkStatuses[status];
  return <Badge tone={tone}>{label}</Badge>;
}

/** "€25.00", or "Customer chooses, €5.00 to €500.00". */
export function priceOf(link: PaymentLinkBody): string {
  const { amount, currency, minimum_amount: least, maximum_amount: most } = link;
  const money = (value: number) => formatMoney(value, currency);
  if (amount !== null) return money(amount);
  if (least !== null && most !== null) return `Customer chooses, ${money(least)} to ${money(most)}`;
  if (least !== null) return `Customer chooses, at least ${money(least)}`;
  if (most !== null) return `Customer chooses, at most ${money(most)}`;
  return `Customer chooses (${currency})`;
}

/** "3 of 10", or "3". */
export function paidText({ times_completed: paid, max_uses: most }: PaymentLinkBody): string {
  return most === null ? paid.toLocaleString() : `${paid.toLocaleString()} of ${most.toLocaleString()}`;
}
