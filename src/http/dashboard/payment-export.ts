// The list of payments as CSV, exactly as it is filtered. Pages are read while the client reads, so that an export of any
// length takes little memory and does not hold up others.

import type { AuditDetails } from '../../domain/audit-entry.ts';
import { csvLine } from '../../domain/csv.ts';
import { currencyExponent } from '../../domain/currencies.ts';
import { type Address, addressLine, emailOf } from '../../domain/customer-details.ts';
import { isRefusal } from '../../domain/errors.ts';
import type { Payment } from '../../domain/life-cycle.ts';
import { isoTime } from '../../domain/moment.ts';
import { decimalOf } from '../../domain/payment-search.ts';
import type { FindDeps } from '../../usecases/find-payments.ts';
import { countPayments, listPayments, type PaymentsWanted } from '../../usecases/list-payments.ts';
import { type Static, Type } from '../schema.ts';
import { type CsvDownloadDeps, csvDownload } from './csv-download.ts';
import { filterQuery, wantedBy } from './payment-list-routes.ts';
import { type DashboardRoute, dashboardRoute, type Staff } from './route.ts';

const exportQuery = Type.Object(filterQuery, { additionalProperties: false });
const pageSize = 100;

const columns: readonly (readonly [name: string, value: (payment: Payment) => string | number | null])[] = [
  ['id', ({ intent }) => intent.id],
  ['created_at', ({ intent }) => isoTime(intent.createdAt)],
  ['status', ({ intent }) => intent.status],
  ['amount', ({ intent }) => decimal(intent.amount, intent.currency)],
  ['amount_captured', ({ intent }) => decimal(intent.amountCaptured, intent.currency)],
  ['amount_refunded', ({ intent }) => decimal(intent.amountRefunded, intent.currency)],
  ['currency', ({ intent }) => intent.currency],
  ['description', ({ session }) => session.description],
  ['customer_email', ({ session }) => emailOf(session)],
  ['payment_method', ({ intent }) => intent.paymentMethod?.type ?? null],
  ['card_brand', ({ intent }) => intent.paymentMethod?.card?.brand ?? null],
  ['card_last4', ({ intent }) => intent.paymentMethod?.card?.last4 ?? null],
  ['decline_code', ({ intent }) => intent.lastPaymentError?.decline_code ?? intent.lastPaymentError?.code ?? null],
  ['provider', ({ intent }) => intent.acquirer?.provider ?? null],
  ['provider_reference', ({ intent }) => intent.acquirer?.reference ?? null],
  ['checkout_session', ({ session }) => session.id],
  ['payment_link', ({ intent }) => intent.paymentLinkId],
  ['customer_name', ({ session }) => session.customerDetails?.name ?? null],
  ['customer_phone', ({ session }) => session.customerDetails?.phone ?? null],
  ['shipping_address', ({ session }) => lineOf(session.customerDetails?.shipping_address)],
  ['billing_address', ({ session }) => lineOf(session.customerDetails?.billing_address)],
  ['metadata', ({ intent }) => metadataOf(intent.metadata)],
];

export function paymentExportRoutes(deps: FindDeps & CsvDownloadDeps): DashboardRoute[] {
  return [
    dashboardRoute({
      method: 'GET',
      path: '/payments/export',
      may: 'read',
      query: exportQuery,
      handle: async ({ staff, query }) => {
        const wanted = wantedBy(staff, query);
        if (isRefusal(wanted)) return wanted;
        const { counts, capped } = await countPayments(deps, wanted);
        const known = capped.length > 0 ? {} : { 'Paydesk-Total-Rows': String(counts[wanted.filter.status ?? 'all']) };
        const date = isoTime(deps.now()).slice(0, 10);
        return csvDownload(deps, staff, {
          ...{ action: 'payments.exported', details: detailsOf(staff, query), fileName: `payments-${date}.csv` },
          lines: linesOf(deps, wanted),
          headers: known,
        });
      },
    }),
  ];
}

/** Without what was searched for: it may be a customer's address, which could not be erased from the log. */
function detailsOf({ livemode }: Staff, { q = '', ...filters }: Static<typeof exportQuery>): AuditDetails {
  return { livemode, ...filters, ...(q.trim() === '' ? {} : { searched: true }) };
}

/** A page at a time. Payments that are created meanwhile are newer than the first one, so they do not move the pages. */
async function* linesOf(deps: FindDeps, wanted: PaymentsWanted): AsyncGenerator<string> {
  yield csvLine(columns.map(([name]) => name));
  for (let before: string | undefined; ; ) {
    const page = { limit: pageSize, before };
    const { payments, next } = await listPayments(deps, wanted, page, deps.store.replica);
    if (payments.length > 0)
      yield payments.map((payment) => csvLine(columns.map(([, value]) => value(payment)))).join('');
    if (next === null) return;
    before = next;
    // Lets others run: SQLite answers within the same tick of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function decimal(amount: number, currency: string): string {
  // As digits, not as a number of JavaScript, which would lose the last zeros. It cannot begin a formula.
  return decimalOf(amount, currencyExponent(currency));
}

function lineOf(address: Address | null | undefined): string | null {
  return address == null ? null : addressLine(address);
}

function metadataOf(metadata: Readonly<Record<string, string>>): string | null {
  return Object.keys(metadata).length === 0 ? null : JSON.stringify(metadata);
}
