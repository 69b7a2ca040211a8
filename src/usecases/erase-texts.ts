// Erases a customer's address from texts that merchants wrote: what a payment link is for, and why a payment was refunded or
// canceled; and from copies of such texts in requests to providers. Merchants may have named anybody there, so every row is
// read, whoever paid.

import type { ErasedCustomer } from '../domain/erased-customer.ts';
import type { Scope } from '../domain/merchant.ts';
import type { Operation } from '../domain/operation.ts';
import type { PaymentIntent } from '../domain/payment-intent.ts';
import type { PaymentLink } from '../domain/payment-link.ts';
import type { Refund } from '../domain/refund.ts';
import type { Store } from '../storage/store.ts';
import { decideAndCommit } from './decide-and-commit.ts';

const pageSize = 200;

interface Rows {
  paymentLinks: PaymentLink;
  refunds: Refund;
  paymentIntents: PaymentIntent;
  operations: Operation;
}
type TableName = keyof Rows;

/** What merchants wrote. Metadata of payments is erased with their sessions. */
const textsOf: { readonly [Name in TableName]: (row: Rows[Name]) => Partial<Rows[Name]> } = {
  paymentLinks: ({ description, metadata, lineItems }) => ({ description, metadata, lineItems }),
  refunds: ({ reason }) => ({ reason }),
  paymentIntents: ({ cancellationReason }) => ({ cancellationReason }),
  operations: ({ reason }) => ({ reason }),
};

/**
 * Copies of texts that are counted elsewhere. A request that may have to be repeated must stay as it is until the provider
 * has answered it.
 */
const copiesOf: { readonly [Name in TableName]?: (row: Rows[Name]) => Partial<Rows[Name]> } = {
  operations: ({ status, acquirerReference, acquirerState }) =>
    status === 'succeeded' || status === 'failed' || acquirerReference !== null ? { acquirerState } : {},
};

export interface ErasedTexts {
  readonly links: number;
  /** Of refunds and cancellations. */
  readonly reasons: number;
}

export async function eraseTexts(
  store: Store,
  scope: Scope,
  customer: ErasedCustomer,
  dryRun: boolean,
): Promise<ErasedTexts> {
  const eraseFrom = <Name extends TableName>(name: Name) => eraseTable(store, scope, name, { customer, dryRun });
  const links = await eraseFrom('paymentLinks');
  const ofRefunds = await eraseFrom('refunds');
  const ofPayments = await eraseFrom('paymentIntents');
  const ofOperations = await eraseFrom('operations');
  return { links, reasons: ofRefunds + ofPayments + ofOperations };
}

async function eraseTable<Name extends TableName>(
  store: Store,
  scope: Scope,
  name: Name,
  { customer, dryRun }: { readonly customer: ErasedCustomer; readonly dryRun: boolean },
): Promise<number> {
  let erased = 0;
  for (let after: string | undefined; ; ) {
    const page = (await store.list(name, { scope, limit: pageSize, after })) as readonly Rows[Name][];
    for (const row of page) {
      const isWritten = customer.isIn(textsOf[name](row));
      if (!isWritten && !customer.isIn(copiesOf[name]?.(row))) continue;
      if (!dryRun) await eraseRow(store, scope, name, row.id, customer);
      if (isWritten) erased += 1;
    }
    after = page.at(-1)?.id;
    if (page.length < pageSize) return erased;
  }
}

async function eraseRow<Name extends TableName>(
  store: Store,
  scope: Scope,
  name: Name,
  id: string,
  customer: ErasedCustomer,
): Promise<void> {
  const outcome = await decideAndCommit(store, async () => {
    const row = (await store.find(name, scope, id)) as Rows[Name] | null;
    if (row === null) return { changes: {}, result: null };
    const erased = customer.removedFrom({ ...textsOf[name](row), ...copiesOf[name]?.(row) });
    return { changes: { [name]: [{ ...row, ...erased }] }, result: null };
  });
  if (!('done' in outcome)) throw new Error(`the customer could not be erased from ${id}: it keeps changing`);
}
