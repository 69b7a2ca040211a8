// The list of payments in the dashboard: filters, search, and counts for its tabs.

import { upperCaseCode } from '../../domain/currencies.ts';
import { emailOf } from '../../domain/customer-details.ts';
import { isRefusal, type Refusal, refuse } from '../../domain/errors.ts';
import { isId } from '../../domain/ids.ts';
import type { Payment } from '../../domain/life-cycle.ts';
import { readTime } from '../../domain/moment.ts';
import { maxAmount } from '../../domain/money.ts';
import { paymentIntentStatuses } from '../../domain/payment-intent.ts';
import { paymentMethodTypes } from '../../domain/payment-methods.ts';
import { maxSearchLength, readSearch } from '../../domain/payment-search.ts';
import type { FindDeps } from '../../usecases/find-payments.ts';
import { countPayments, listPayments, type PaymentsWanted } from '../../usecases/list-payments.ts';
import { listOf, refusePaymentLink } from '../api/list.ts';
import { paymentIntentSchema, serialisePaymentIntent } from '../api/payment-intents.ts';
import { nullableString, stringEnum } from '../api/schemas.ts';
import { type Static, Type } from '../schema.ts';
import { type DashboardRoute, dashboardRoute, type Staff } from './route.ts';

export const listedStatuses = [...paymentIntentStatuses, 'refunded', 'disputed'] as const;

export const filterQuery = {
  status: Type.Optional(stringEnum(listedStatuses)),
  q: Type.Optional(
    Type.String({
      maxLength: maxSearchLength,
      description:
        'An id, an e-mail address, the last four digits of a card, an amount, a metadata value or a provider reference.',
    }),
  ),
  from: Type.Optional(Type.String({ maxLength: 40, description: 'Created at this time or later.' })),
  to: Type.Optional(Type.String({ maxLength: 40, description: 'Created before this time.' })),
  min: Type.Optional(Type.Integer({ minimum: 0, maximum: maxAmount })),
  max: Type.Optional(Type.Integer({ minimum: 0, maximum: maxAmount })),
  currency: Type.Optional(Type.String({ minLength: 3, maxLength: 3 })),
  method: Type.Optional(stringEnum(paymentMethodTypes)),
  payment_link: Type.Optional(Type.String({ maxLength: 100 })),
};

const countsQuery = Type.Object(filterQuery, { additionalProperties: false });
const listQuery = Type.Object(
  {
    ...filterQuery,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    cursor: Type.Optional(Type.String({ maxLength: 100 })),
  },
  { additionalProperties: false },
);

export const listedPayment = Type.Object({
  ...paymentIntentSchema.properties,
  customer_email: nullableString(),
  description: nullableString(),
});
export type ListedPayment = Static<typeof listedPayment>;

const paymentListSchema = listOf(listedPayment, 'Payments');
export type PaymentList = Omit<Static<typeof paymentListSchema>, 'data'> & {
  data: ListedPayment[];
  /** Whether older payments are still being indexed, so that a search may not have found all. */
  is_indexing: boolean;
};

export const paymentCounts = Type.Object({
  ...Object.fromEntries(['all', ...listedStatuses].map((status) => [status, Type.Integer()])),
  capped: Type.Boolean({ description: 'Whether a count stopped at its limit, and is at least this high.' }),
  capped_counts: Type.Array(Type.String(), { description: 'Which ones did.' }),
});
export type PaymentCountsBody = Readonly<Record<'all' | (typeof listedStatuses)[number], number>> & {
  readonly capped: boolean;
  readonly capped_counts: readonly ('all' | (typeof listedStatuses)[number])[];
};
export type PaymentsQuery = Static<typeof listQuery>;

const defaultLimit = 20;

export function paymentListRoutes(deps: FindDeps): DashboardRoute[] {
  return [
    dashboardRoute({
      method: 'GET',
      path: '/payments',
      may: 'read',
      query: listQuery,
      handle: async ({ staff, query }) => {
        const wanted = wantedBy(staff, query);
        if (isRefusal(wanted)) return wanted;
        const { cursor, limit = defaultLimit } = query;
        if (cursor !== undefined && !isId('pi', cursor)) {
          return refuse('parameter_invalid', '`cursor` must be the `next_cursor` of the previous page.', 'cursor');
        }
        const { payments, next, isIndexing = false } = await listPayments(deps, wanted, { limit, before: cursor });
        const data = payments.map(serialiseListedPayment);
        const body: PaymentList = { data, has_more: next !== null, next_cursor: next, is_indexing: isIndexing };
        return { status: 200, body };
      },
    }),
    dashboardRoute({
      method: 'GET',
      path: '/payments/counts',
      may: 'read',
      query: countsQuery,
      handle: async ({ staff, query }) => {
        const wanted = wantedBy(staff, query);
        if (isRefusal(wanted)) return wanted;
        const { counts, capped } = await countPayments(deps, wanted);
        return {
          status: 200,
          body: { ...counts, capped: capped.length > 0, capped_counts: capped } satisfies PaymentCountsBody,
        };
      },
    }),
  ];
}

export function serialiseListedPayment({ intent, session }: Payment): ListedPayment {
  return {
    ...serialisePaymentIntent(intent),
    customer_email: emailOf(session),
    description: session.description,
  };
}

/** What the query asks for. */
export function wantedBy(
  { merchantId, livemode }: Pick<Staff, 'merchantId' | 'livemode'>,
  query: Static<typeof countsQuery>,
): PaymentsWanted | Refusal {
  const { status, q = '', min, max, currency, method, payment_link: paymentLinkId } = query;
  const code = currency === undefined ? undefined : upperCaseCode(currency);
  const times = { from: timeIn('from', query.from), to: timeIn('to', query.to) };
  const { from, to } = times;
  if (isRefusal(from)) return from;
  if (isRefusal(to)) return to;
  const badLink = refusePaymentLink(paymentLinkId);
  if (badLink !== null) return badLink;
  return {
    scope: { merchantId, livemode },
    filter: { status, from, to, min, max, currency: code, method, paymentLinkId },
    search: readSearch(q),
  };
}

function timeIn(param: 'from' | 'to', text: string | undefined): number | undefined | Refusal {
  if (text === undefined) return undefined;
  const time = readTime(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);
  if (time !== null) return time;
  return refuse('parameter_invalid', `\`${param}\` must be a time such as 2026-11-15T09:30:00Z, or a date.`, param);
}
