// The Payment Link: a page that can be paid once, several times or any number of times, without the merchant's server.

import type { CollectableDetail } from './customer-details.ts';
import { type Refusal, refuse } from './errors.ts';
import type { Scope } from './merchant.ts';
import type { Metadata } from './metadata.ts';
import type { Moment } from './moment.ts';
import { type LineItem, maxAmount } from './money.ts';
import type { CaptureMethod } from './payment-intent.ts';
import type { PaymentMethodType } from './payment-methods.ts';
import { readWebUrl } from './web-url.ts';

export const paymentLinkStatuses = ['active', 'inactive', 'expired', 'completed'] as const;
export type PaymentLinkStatus = (typeof paymentLinkStatuses)[number];

/** `open`: the customer enters the amount. */
export const paymentLinkTypes = ['fixed', 'open'] as const;
export type PaymentLinkType = (typeof paymentLinkTypes)[number];

export const maxUsesLimit = 1_000_000_000;

export interface PaymentLink {
  readonly id: string;
  readonly merchantId: string;
  readonly livemode: boolean;
  /** The version it was read at; 0 if not stored yet. */
  readonly version: number;
  /** As of the last commit; `statusAt` also knows whether its time is up. */
  readonly status: PaymentLinkStatus;
  /** What the merchant chose. */
  readonly active: boolean;
  readonly type: PaymentLinkType;
  /** Null for `open`. */
  readonly amount: number | null;
  readonly minimumAmount: number | null;
  readonly maximumAmount: number | null;
  readonly currency: string;
  readonly description: string | null;
  readonly lineItems: readonly LineItem[] | null;
  /** Null: all that the account has enabled when a customer pays. */
  readonly paymentMethodTypes: readonly PaymentMethodType[] | null;
  readonly captureMethod: CaptureMethod;
  readonly redirectUrl: string | null;
  /** What its sessions ask the customer for. */
  readonly collect: readonly CollectableDetail[];
  /** How often it can be paid; null: any number of times. */
  readonly maxUses: number | null;
  /** The sessions that were created from it. */
  readonly timesUsed: number;
  /** Payments in progress that count towards `maxUses`. */
  readonly timesReserved: number;
  /** The paid ones. */
  readonly timesCompleted: number;
  readonly metadata: Metadata;
  readonly expiresAt: number | null;
  readonly createdAt: number;
}

/** The parts of a link that its creator chooses. */
export type LinkTerms = Omit<
  PaymentLink,
  keyof Scope | 'id' | 'version' | 'status' | 'active' | 'timesUsed' | 'timesReserved' | 'timesCompleted' | 'createdAt'
>;

export function newPaymentLink({ merchantId, livemode }: Scope, terms: LinkTerms, moment: Moment): PaymentLink {
  return {
    ...terms,
    id: moment.newId('plink'),
    merchantId,
    livemode,
    version: 0,
    status: 'active',
    active: true,
    timesUsed: 0,
    timesReserved: 0,
    timesCompleted: 0,
    createdAt: moment.now,
  };
}

type StatusFacts = Pick<PaymentLink, 'active' | 'maxUses' | 'timesCompleted' | 'expiresAt'>;

export function statusAt(link: StatusFacts, now: number): PaymentLinkStatus {
  return statusOf(link, link.expiresAt !== null && link.expiresAt <= now);
}

/** A link that was paid as often as it can be stays `completed`, whatever else happens to it. */
export function statusOf({ active, maxUses, timesCompleted }: StatusFacts, timeIsUp: boolean): PaymentLinkStatus {
  if (maxUses !== null && timesCompleted >= maxUses) return 'completed';
  if (!active) return 'inactive';
  return timeIsUp ? 'expired' : 'active';
}

/** Whether a link can be paid more than once. */
export function isRecurring({ maxUses }: Pick<PaymentLink, 'maxUses'>): boolean {
  return maxUses === null || maxUses > 1;
}

/** The limits of an amount that the customer enters. */
export function amountLimits({ minimumAmount, maximumAmount }: PaymentLink): { minimum: number; maximum: number } {
  return { minimum: minimumAmount ?? 1, maximum: maximumAmount ?? maxAmount };
}

/** Null if the limits fit the type and each other. */
export function refuseLimits(type: PaymentLinkType, minimum: number | null, maximum: number | null): Refusal | null {
  const [param, given] = minimum === null ? ['maximum_amount', maximum] : ['minimum_amount', minimum];
  if (type === 'fixed' && given !== null) {
    return refuse(
      'parameter_invalid',
      `\`${param}\` is only for links with \`type: "open"\`, whose amount the customer enters.`,
      param,
    );
  }
  if (minimum !== null && maximum !== null && minimum > maximum) {
    return refuse(
      'parameter_invalid',
      `\`maximum_amount\` is ${maximum}, which is less than \`minimum_amount\` (${minimum}).`,
      'maximum_amount',
    );
  }
  return null;
}

/** As it is stored: an absolute URL, `https` in live mode. */
export function normaliseRedirectUrl(text: string, livemode: boolean): string | Refusal {
  const bad = (why: string): Refusal =>
    refuse(
      'parameter_invalid',
      `\`redirect_url\` ${why}. Use a URL such as https://shop.example/thanks?session={CHECKOUT_SESSION_ID}`,
      'redirect_url',
    );
  const read = readWebUrl(text);
  if ('wrong' in read) return bad(read.wrong);
  return livemode && read.url.startsWith('http:') ? bad('must use https in live mode') : read.url;
}
