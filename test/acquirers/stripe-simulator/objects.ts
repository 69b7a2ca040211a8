// The JSON of Stripe's objects, with every field that our API version always has.

import type { Books, Charge, Dispute, Intent, Method, Refund } from './books.ts';
import { refundedOf, releasedOf } from './books.ts';

export interface View {
  readonly books: Books;
  readonly livemode: boolean;
  /** Where the customer completes challenges. */
  readonly pageUrl: string;
}

export function intentJson(view: View, intent: Intent, expand: readonly string[] = []): Record<string, unknown> {
  const { charge, challenge } = intent;
  return {
    id: intent.id,
    object: 'payment_intent',
    amount: intent.amount,
    amount_capturable: intent.status === 'requires_capture' ? intent.amount : 0,
    amount_details: { tip: {} },
    amount_received: charge?.captured ?? 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: intent.canceledAt,
    cancellation_reason: intent.cancellationReason,
    capture_method: intent.captureMethod,
    client_secret: clientSecret(intent),
    confirmation_method: intent.confirmationMethod,
    created: intent.created,
    currency: intent.currency,
    customer: null,
    customer_account: null,
    description: intent.description,
    excluded_payment_method_types: null,
    last_payment_error: intent.lastError,
    latest_charge:
      charge !== null && expand.includes('latest_charge') ? chargeJson(view, charge) : (charge?.id ?? null),
    livemode: view.livemode,
    metadata: intent.metadata,
    next_action:
      intent.status === 'requires_action' && challenge !== null
        ? {
            type: 'redirect_to_url',
            redirect_to_url: {
              return_url: challenge.returnUrl,
              url: `${view.pageUrl}/challenges/${intent.id}/${challenge.token}`,
            },
          }
        : null,
    on_behalf_of: null,
    payment_method:
      intent.method !== null && expand.includes('payment_method')
        ? methodJson(view, intent.method, intent.created)
        : (intent.method?.id ?? null),
    payment_method_configuration_details: null,
    payment_method_options: { card: { installments: null, mandate_options: null, network: null } },
    payment_method_types: intent.methodTypes,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: intent.status,
    transfer_data: null,
    transfer_group: null,
  };
}

export function clientSecret(intent: Intent): string {
  return `${intent.id}_secret_simulated`;
}

export function methodJson(view: View, method: Method, created: number): Record<string, unknown> {
  return {
    id: method.id,
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: noAddress,
    card: {
      ...cardJson(method),
      display_brand: method.card.brand,
      generated_from: null,
      networks: { available: [method.card.brand], preferred: null },
      three_d_secure_usage: { supported: true },
    },
    created,
    customer: null,
    customer_account: null,
    livemode: view.livemode,
    metadata: {},
    type: 'card',
  };
}

const noAddress = {
  address: { city: null, country: null, line1: null, line2: null, postal_code: null, state: null },
  email: null,
  name: null,
  phone: null,
  tax_id: null,
};

function cardJson({ card }: Method): Record<string, unknown> {
  return {
    brand: card.brand,
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
    country: 'US',
    exp_month: 12,
    exp_year: 2034,
    fingerprint: `simulated${card.last4}`,
    funding: 'credit',
    last4: card.last4,
    regulated_status: 'unregulated',
    wallet: null,
  };
}

export function chargeJson(view: View, charge: Charge): Record<string, unknown> {
  const { intent } = charge;
  const refunded = refundedOf(view.books, intent);
  return {
    id: charge.id,
    object: 'charge',
    amount: intent.amount,
    amount_captured: charge.captured,
    amount_refunded: refunded + releasedOf(view.books, intent),
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: noAddress,
    calculated_statement_descriptor: 'SIMULATED',
    captured: charge.captured > 0,
    created: charge.created,
    currency: intent.currency,
    customer: null,
    description: intent.description,
    disputed: [...view.books.disputes.values()].some((dispute) => dispute.intent === intent),
    failure_balance_transaction: null,
    failure_code: charge.failureCode,
    failure_message: charge.failureCode,
    fraud_details: {},
    livemode: view.livemode,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: null,
    paid: charge.status === 'succeeded',
    payment_intent: intent.id,
    payment_method: charge.method.id,
    payment_method_details: {
      type: 'card',
      card: {
        ...cardJson(charge.method),
        amount_authorized: charge.status === 'succeeded' ? intent.amount : null,
        authorization_code: '123456',
        ...(charge.captureBefore === null ? {} : { capture_before: charge.captureBefore }),
        installments: null,
        mandate: null,
        network: charge.method.card.brand,
        network_transaction_id: null,
        three_d_secure: null,
      },
    },
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: charge.captured > 0 && refunded === charge.captured,
    review: null,
    shipping: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: charge.status,
    transfer_data: null,
    transfer_group: null,
  };
}

export function refundJson(refund: Refund): Record<string, unknown> {
  return {
    id: refund.id,
    object: 'refund',
    amount: refund.amount,
    balance_transaction: null,
    charge: refund.intent.charge?.id ?? null,
    created: refund.created,
    currency: refund.intent.currency,
    ...(refund.failureReason === null ? {} : { failure_reason: refund.failureReason }),
    metadata: refund.metadata,
    payment_intent: refund.intent.id,
    payment_method: refund.intent.method?.id ?? null,
    reason: refund.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: refund.status,
    transfer_reversal: null,
  };
}

export function disputeJson(view: View, dispute: Dispute): Record<string, unknown> {
  return {
    id: dispute.id,
    object: 'dispute',
    amount: dispute.amount,
    balance_transactions: [],
    charge: dispute.intent.charge?.id ?? '',
    created: dispute.created,
    currency: dispute.intent.currency,
    enhanced_eligibility_types: [],
    evidence: { enhanced_evidence: {} },
    evidence_details: {
      due_by: dispute.dueBy,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    },
    is_charge_refundable: dispute.status.startsWith('warning'),
    livemode: view.livemode,
    metadata: {},
    payment_intent: dispute.intent.id,
    reason: dispute.reason,
    status: dispute.status,
  };
}

export function listJson(url: string, data: readonly unknown[], hasMore: boolean): Record<string, unknown> {
  return { object: 'list', data, has_more: hasMore, url };
}
