// The payment links of the demo shop: some in use, one paid as often as it can be, one expired, one deactivated.

import { isRefusal } from '../domain/errors.ts';
import type { LinkTerms, PaymentLink } from '../domain/payment-link.ts';
import { createPaymentLink, type LinkOwner, type PaymentLinkDeps } from '../usecases/create-payment-link.ts';
import { expirePaymentLink, updatePaymentLink } from '../usecases/update-payment-link.ts';
import { priceIn } from './catalogue.ts';
import type { Sampler } from './sampler.ts';
import { dayMs } from './steps.ts';

export interface DemoLink {
  readonly link: PaymentLink;
  /** When customers can use it. */
  readonly from: number;
  readonly to: number;
  readonly weight: number;
  readonly isDeactivated: boolean;
}

interface Offer {
  readonly description: string;
  /** Null: the customer enters the amount. */
  readonly cents: number | null;
  readonly sinceDays: number;
  readonly maxUses?: number;
  /** How many days ago it expired or was deactivated. */
  readonly expiredDays?: number;
  readonly deactivatedDays?: number;
  readonly weight: number;
}

const offers: readonly Offer[] = [
  { description: 'Gift box with three coffees', cents: 3_900, sinceDays: 29.6, weight: 5 },
  { description: 'Support our farmers', cents: null, sinceDays: 27.2, weight: 3 },
  { description: 'Tasting evening, twelve seats', cents: 2_500, sinceDays: 24.4, maxUses: 12, weight: 8 },
  { description: 'Pre-order: Panama Geisha, 250 g', cents: 4_500, sinceDays: 21.3, expiredDays: 6.1, weight: 2 },
  { description: 'Grinder, last season’s model', cents: 6_900, sinceDays: 18.5, deactivatedDays: 3.4, weight: 1 },
  { description: 'Catering deposit', cents: 25_000, sinceDays: 5.8, maxUses: 1, weight: 0.3 },
];

/** `depsAt`: use cases at a time of the month. */
export async function createDemoLinks(
  depsAt: (time: number) => PaymentLinkDeps,
  owner: LinkOwner,
  { currency, until }: { readonly currency: string; readonly until: number },
): Promise<DemoLink[]> {
  const created: DemoLink[] = [];
  for (const offer of offers) {
    const daysAgo = (days: number): number => until - Math.round(days * dayMs);
    const from = daysAgo(offer.sinceDays);
    const expiresAt = offer.expiredDays === undefined ? null : daysAgo(offer.expiredDays);
    const outcome = await createPaymentLink(depsAt(from), owner, termsOf(offer, currency, expiresAt));
    if (!('done' in outcome)) throw new Error(isRefusal(outcome) ? outcome.message : 'a link was not created');
    const deactivatedAt = offer.deactivatedDays === undefined ? until : daysAgo(offer.deactivatedDays);
    created.push({
      link: outcome.done,
      from,
      to: Math.min(expiresAt ?? until, deactivatedAt),
      weight: offer.weight,
      isDeactivated: offer.deactivatedDays !== undefined,
    });
  }
  return created;
}

function termsOf({ cents, description, maxUses }: Offer, currency: string, expiresAt: number | null): LinkTerms {
  const isOpen = cents === null;
  return {
    type: isOpen ? 'open' : 'fixed',
    amount: cents === null ? null : priceIn(currency, cents),
    minimumAmount: isOpen ? priceIn(currency, 200) : null,
    maximumAmount: isOpen ? priceIn(currency, 50_000) : null,
    lineItems: null,
    collect: ['email'],
    paymentMethodTypes: null,
    captureMethod: 'automatic',
    redirectUrl: null,
    metadata: {
      campaign: description
        .toLowerCase()
        .replaceAll(/[^a-z]+/g, '-')
        .slice(0, 24),
    },
    ...{ currency, description, expiresAt },
    maxUses: maxUses ?? null,
  };
}

/** The statuses that links have got by the end of the month. */
export async function endDemoLinks(
  depsAt: (time: number) => PaymentLinkDeps,
  links: readonly DemoLink[],
  until: number,
): Promise<void> {
  for (const { link, to, isDeactivated } of links) {
    if (isDeactivated) await updatePaymentLink(depsAt(to), link, link.id, { active: false });
    await expirePaymentLink(depsAt(until), link, link.id);
  }
}

/** One that customers can use at this time, if there is any. */
export function linkAt(links: readonly DemoLink[], at: number, sampler: Sampler): DemoLink | null {
  const usable = links.filter(({ from, to }) => from <= at && at < to);
  return usable.length === 0 ? null : sampler.weighted(usable.map((one) => [one, one.weight] as const));
}

/** What a customer pays with it. */
export function amountOf({ amount, currency }: PaymentLink, sampler: Sampler): number {
  return amount ?? priceIn(currency, sampler.pick([300, 500, 500, 1_000, 1_000, 1_500, 2_000, 2_500, 5_000, 10_000]));
}
