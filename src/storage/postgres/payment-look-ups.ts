// What is looked up by key for nearly every request: payments, their halves, and answers given before.

import type { Payment } from '../../domain/life-cycle.ts';
import type { MerchantLook, Scope } from '../../domain/merchant.ts';
import { rowDecoder } from '../row-decoder.ts';
import type { Store } from '../store.ts';
import {
  checkoutSessions,
  columnNames,
  idempotencyRecords,
  merchantLooks,
  paymentIntents,
  type Table,
} from '../tables.ts';
import { firstColumn, type LookUp, lookUpsTogether } from './look-ups.ts';
import type { RowsOf } from './rows.ts';

type PaymentLookUps = Pick<
  Store,
  'paymentIntent' | 'checkoutSession' | 'paymentOfSession' | 'paymentOfIntent' | 'checkout' | 'idempotencyRecord'
>;

export function postgresPaymentLookUps(rowsOf: RowsOf): PaymentLookUps {
  function scoped<R>(lookUp: LookUp<R>): (scope: Scope, id: string) => Promise<R | null> {
    const find = lookUpsTogether<[string, boolean, string], R>(rowsOf, lookUp);
    return ({ merchantId, livemode }, id) => find(merchantId, livemode, id);
  }
  return {
    paymentIntent: scoped(byKey(paymentIntents, 'id')),
    checkoutSession: scoped(byKey(checkoutSessions, 'id')),
    idempotencyRecord: scoped(byKey(idempotencyRecords, 'key')),
    paymentOfSession: scoped(paymentOfSession),
    paymentOfIntent: scoped(paymentOfIntent),
    checkout: lookUpsTogether<[string], Payment & { merchant: MerchantLook }>(rowsOf, checkout),
  };
}

const scopedKey = { merchant: 'text', live: 'boolean', id: 'text' } as const;

function byKey<R>(table: Table<R>, id: string): LookUp<R> {
  return {
    name: `look up ${table.name}`,
    key: scopedKey,
    columns: columnNames(table, 't'),
    from: `JOIN ${table.name} t ON t.merchant_id = wanted.merchant AND t.livemode = wanted.live AND t.${id} = wanted.id`,
    decode: rowDecoder(table, firstColumn),
  };
}

const sameScope = 'p.merchant_id = s.merchant_id AND p.livemode = s.livemode';
const intentOfSession = `JOIN payment_intents p ON ${sameScope} AND p.id = s.payment_intent_id`;

/** The columns of both halves, and what makes a payment out of them. */
const paymentColumns = `${columnNames(paymentIntents, 'p')}, ${columnNames(checkoutSessions, 's')}`;
const firstOfSession = firstColumn + paymentIntents.columns.length;
const firstOfMerchant = firstOfSession + checkoutSessions.columns.length;
const intentIn = rowDecoder(paymentIntents, firstColumn);
const sessionIn = rowDecoder(checkoutSessions, firstOfSession);
const merchantIn = rowDecoder(merchantLooks, firstOfMerchant);

const paymentOfSession: LookUp<Payment> = {
  name: 'payment of session',
  key: scopedKey,
  columns: paymentColumns,
  from: `
    JOIN checkout_sessions s ON s.merchant_id = wanted.merchant AND s.livemode = wanted.live AND s.id = wanted.id
    ${intentOfSession}`,
  decode: (values) => ({ intent: intentIn(values), session: sessionIn(values) }),
};

const paymentOfIntent: LookUp<Payment> = {
  ...paymentOfSession,
  name: 'payment of intent',
  from: `
    JOIN payment_intents p ON p.merchant_id = wanted.merchant AND p.livemode = wanted.live AND p.id = wanted.id
    JOIN checkout_sessions s ON ${sameScope} AND s.id = p.checkout_session_id AND s.payment_intent_id = p.id`,
};

/** The hosted page knows a session by its id alone. */
const checkout: LookUp<Payment & { merchant: MerchantLook }> = {
  name: 'checkout',
  key: { id: 'text' },
  columns: `${paymentColumns}, ${columnNames(merchantLooks, 'm')}`,
  from: `JOIN checkout_sessions s ON s.id = wanted.id ${intentOfSession} JOIN merchants m ON m.id = s.merchant_id`,
  decode: (values) => ({ intent: intentIn(values), session: sessionIn(values), merchant: merchantIn(values) }),
};
