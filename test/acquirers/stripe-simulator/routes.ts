// The endpoints that the simulator has, each with the parameters it accepts.

import { cardOf } from './cards.ts';
import { type Form, integer, list, type Shape, text } from './form.ts';
import { chargeJson, disputeJson, intentJson, listJson, methodJson, refundJson } from './objects.ts';
import { cancelIntent, captureIntent, confirmIntent, createIntent, type Ledger } from './payments.ts';
import { createRefund } from './refunds.ts';
import { invalidRequest, notFound } from './stripe-error.ts';

export interface Endpoint {
  /** For faults and for the log of requests. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: RegExp;
  readonly parameters: Shape;
  run(ledger: Ledger, form: Form, id: string): unknown;
}

const expand = { expand: 'list' } as const;
const confirmation = {
  payment_method: 'text',
  confirmation_token: 'text',
  return_url: 'text',
  off_session: 'boolean',
  use_stripe_sdk: 'boolean',
} as const;
const pages = { limit: 'integer', starting_after: 'text', ending_before: 'text', ...expand } as const;

export const currenciesOfAccount = 'usd eur gbp jpy isk ugx kwd mga sek pln chf'.split(' ');

export const endpoints: readonly Endpoint[] = [
  {
    name: 'payment_intents.create',
    method: 'POST',
    path: /^\/v1\/payment_intents$/,
    parameters: {
      amount: 'integer',
      currency: 'text',
      capture_method: 'text',
      confirm: 'boolean',
      confirmation_method: 'text',
      description: 'text',
      metadata: 'names',
      payment_method_types: 'list',
      receipt_email: 'text',
      ...confirmation,
      ...expand,
    },
    run: (ledger, form) => intentJson(ledger, createIntent(ledger, form), list(form, 'expand')),
  },
  {
    name: 'payment_intents.list',
    method: 'GET',
    path: /^\/v1\/payment_intents$/,
    parameters: pages,
    run: (ledger, form) =>
      page('/v1/payment_intents', form, [...ledger.books.intents.values()].reverse(), (one) =>
        intentJson(ledger, one, []),
      ),
  },
  {
    name: 'payment_intents.retrieve',
    method: 'GET',
    path: /^\/v1\/payment_intents\/(?!search)([^/]+)$/,
    parameters: { client_secret: 'text', ...expand },
    run: (ledger, form, id) => intentJson(ledger, ledger.books.intent(id), list(form, 'expand')),
  },
  {
    name: 'payment_intents.confirm',
    method: 'POST',
    path: /^\/v1\/payment_intents\/([^/]+)\/confirm$/,
    parameters: { capture_method: 'text', receipt_email: 'text', ...confirmation, ...expand },
    run(ledger, form, id) {
      const intent = ledger.books.intent(id);
      confirmIntent(ledger, intent, form);
      return intentJson(ledger, intent, list(form, 'expand'));
    },
  },
  {
    name: 'payment_intents.capture',
    method: 'POST',
    path: /^\/v1\/payment_intents\/([^/]+)\/capture$/,
    parameters: { amount_to_capture: 'integer', final_capture: 'boolean', metadata: 'names', ...expand },
    run(ledger, form, id) {
      const intent = ledger.books.intent(id);
      captureIntent(ledger, intent, form);
      return intentJson(ledger, intent, list(form, 'expand'));
    },
  },
  {
    name: 'payment_intents.cancel',
    method: 'POST',
    path: /^\/v1\/payment_intents\/([^/]+)\/cancel$/,
    parameters: { cancellation_reason: 'text', ...expand },
    run(ledger, form, id) {
      const intent = ledger.books.intent(id);
      cancelIntent(ledger, intent, form);
      return intentJson(ledger, intent, list(form, 'expand'));
    },
  },
  {
    name: 'refunds.create',
    method: 'POST',
    path: /^\/v1\/refunds$/,
    parameters: { payment_intent: 'text', amount: 'integer', reason: 'text', metadata: 'names', ...expand },
    run: (ledger, form) => refundJson(createRefund(ledger, form)),
  },
  {
    name: 'refunds.list',
    method: 'GET',
    path: /^\/v1\/refunds$/,
    parameters: { payment_intent: 'text', charge: 'text', ...pages },
    run: (ledger, form) => page('/v1/refunds', form, ofPayment(form, ledger.books.refunds), refundJson),
  },
  {
    name: 'refunds.retrieve',
    method: 'GET',
    path: /^\/v1\/refunds\/([^/]+)$/,
    parameters: expand,
    run: (ledger, _form, id) => refundJson(found(ledger.books.refunds, 'refund', id)),
  },
  {
    name: 'disputes.list',
    method: 'GET',
    path: /^\/v1\/disputes$/,
    parameters: { payment_intent: 'text', charge: 'text', ...pages },
    run: (ledger, form) =>
      page('/v1/disputes', form, ofPayment(form, ledger.books.disputes), (one) => disputeJson(ledger, one)),
  },
  {
    name: 'disputes.retrieve',
    method: 'GET',
    path: /^\/v1\/disputes\/([^/]+)$/,
    parameters: expand,
    run: (ledger, _form, id) => disputeJson(ledger, found(ledger.books.disputes, 'dispute', id)),
  },
  {
    name: 'charges.retrieve',
    method: 'GET',
    path: /^\/v1\/charges\/([^/]+)$/,
    parameters: expand,
    run: (ledger, _form, id) => chargeJson(ledger, found(ledger.books.charges, 'charge', id)),
  },
  {
    name: 'confirmation_tokens.retrieve',
    method: 'GET',
    path: /^\/v1\/confirmation_tokens\/([^/]+)$/,
    parameters: expand,
    run(ledger, _form, id) {
      const card = cardOf(id, 'ctoken_');
      if (card === undefined) throw notFound('confirmation_token', id, 'confirmation_token');
      const { billing_details, card: preview } = methodJson(ledger, { id, card }, ledger.now());
      return {
        id,
        object: 'confirmation_token',
        created: ledger.now(),
        expires_at: ledger.now() + 43_200,
        livemode: ledger.livemode,
        mandate_data: null,
        payment_intent: null,
        payment_method_options: null,
        payment_method_preview: {
          billing_details,
          card: preview,
          customer: null,
          customer_account: null,
          type: 'card',
        },
        return_url: null,
        setup_future_usage: null,
        setup_intent: null,
        shipping: null,
        use_stripe_sdk: true,
      };
    },
  },
  {
    name: 'account.retrieve',
    method: 'GET',
    path: /^\/v1\/account$/,
    parameters: expand,
    run: () => ({
      id: 'acct_1Simulated',
      object: 'account',
      capabilities: { card_payments: 'active', transfers: 'active' },
      charges_enabled: true,
      country: 'DE',
      default_currency: 'eur',
      details_submitted: true,
      email: null,
      payouts_enabled: true,
      type: 'standard',
    }),
  },
  {
    name: 'country_specs.retrieve',
    method: 'GET',
    path: /^\/v1\/country_specs\/([^/]+)$/,
    parameters: expand,
    run: (_ledger, _form, id) => ({
      id,
      object: 'country_spec',
      default_currency: 'eur',
      supported_bank_account_currencies: { eur: ['DE'] },
      supported_payment_currencies: currenciesOfAccount,
      supported_payment_methods: ['card'],
      supported_transfer_countries: ['DE'],
      verification_fields: {
        company: { additional: [], minimum: [] },
        individual: { additional: [], minimum: [] },
      },
    }),
  },
];

function found<T>(records: ReadonlyMap<string, T>, kind: string, id: string): T {
  const record = records.get(id);
  if (record === undefined) throw notFound(kind, id, 'id');
  return record;
}

/** Newest first; of all payments, unless one is named. */
function ofPayment<T extends { readonly intent: { readonly id: string } }>(
  form: Form,
  records: ReadonlyMap<string, T>,
): T[] {
  const id = text(form, 'payment_intent');
  return [...records.values()].filter(({ intent }) => id === undefined || intent.id === id).reverse();
}

function page<T extends { readonly id: string }>(
  url: string,
  form: Form,
  records: readonly T[],
  toJson: (record: T) => unknown,
): unknown {
  const limit = integer(form, 'limit') ?? 10;
  if (limit < 1 || limit > 100) throw invalidRequest('Invalid limit', { param: 'limit' });
  const after = text(form, 'starting_after');
  const start = after === undefined ? 0 : records.findIndex(({ id }) => id === after) + 1;
  const shown = records.slice(start, start + limit);
  return listJson(url, shown.map(toJson), start + limit < records.length);
}
