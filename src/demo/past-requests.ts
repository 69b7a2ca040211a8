// The API requests that a shop would have sent in the demo month, as the request log keeps them: masked, and only those of
// its days. Made from what the use cases committed, with the bodies that the API would have received and sent.

import type { ChangeSet } from '../domain/change-set.ts';
import type { CheckoutSession } from '../domain/checkout-session.ts';
import { errorCodes, type Refusal } from '../domain/errors.ts';
import { newId, type Random } from '../domain/ids.ts';
import { maskedBody } from '../domain/mask-body.ts';
import type { Scope } from '../domain/merchant.ts';
import { importReason, latePaymentReason, secondPaymentReason } from '../domain/operation.ts';
import type { RequestRecord } from '../domain/request-record.ts';
import { type SessionPlace, serialiseLineItems, serialiseSession } from '../http/api/checkout-session-schema.ts';
import { serialisePaymentIntent } from '../http/api/payment-intents.ts';
import { serialiseRefund } from '../http/api/refunds.ts';
import { checkCurrency, type SessionRequest } from '../usecases/create-checkout-session.ts';
import { paymentIntentNotFound } from '../usecases/refusals.ts';
import type { PlannedPurchase } from './plan-purchase.ts';
import { type Sampler, sampler } from './sampler.ts';
import { secondMs } from './steps.ts';

export interface PastRequestsDeps extends SessionPlace {
  /** The shop's API key. */
  readonly keyId: string;
  readonly scope: Scope;
  /** Requests before are not kept any more. */
  readonly since: number;
  readonly until: number;
  readonly seed: number;
  readonly random: Random;
}

interface Sent {
  readonly at: number;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly status: number;
  readonly body?: unknown;
  readonly response: unknown;
}

/** How often a developer's mistake is among them. */
const mistakeRate = 0.02;
/** What many people write for GBP. */
const wrongCurrency = 'UKP';

export function pastRequests(deps: PastRequestsDeps) {
  const { since, until, seed } = deps;
  return (changes: ChangeSet, plan: PlannedPurchase): RequestRecord[] => {
    const random = sampler(seed ^ 0x72657173, plan.number);
    return requestsOf(deps, changes, plan, random)
      .filter(({ at }) => at >= since && at <= until)
      .map((sent) => recordOf(deps, sent, random));
  };
}

function requestsOf(deps: PastRequestsDeps, changes: ChangeSet, { request }: PlannedPurchase, random: Sampler): Sent[] {
  const [session] = changes.checkoutSessions ?? [];
  const [intent] = changes.paymentIntents ?? [];
  if (session === undefined || intent === undefined) return [];
  const payment = `/payment-intents/${intent.id}`;
  const paid = session.completedAt !== null && random.happens(0.5) ? [returned(deps, session, random)] : [];
  const created = session.paymentLinkId === null ? creation(deps, session, request, random) : [];
  const refunds = (changes.refunds ?? []).filter(({ reason }) => !isAutomatic(reason));
  const captures = (changes.operations ?? []).filter(({ kind }) => kind === 'capture');
  return [
    ...created,
    ...paid,
    ...refunds.map((refund): Sent => {
      const body = { amount: refund.amount, reason: refund.reason };
      const response = serialiseRefund({ ...refund, status: 'pending' });
      return { at: refund.createdAt, method: 'POST', path: `${payment}/refund`, status: 201, body, response };
    }),
    ...captures.map((capture): Sent => {
      const body = { amount_to_capture: capture.amount };
      const response = serialisePaymentIntent(intent);
      return { at: capture.createdAt, method: 'POST', path: `${payment}/capture`, status: 200, body, response };
    }),
  ];
}

function isAutomatic(reason: string | null): boolean {
  return [latePaymentReason, secondPaymentReason, importReason].some((one) => one === reason);
}

/** Sometimes with a wrong currency first, or with a look at a payment of the other mode. */
function creation(deps: PastRequestsDeps, session: CheckoutSession, request: SessionRequest, random: Sampler): Sent[] {
  const at = session.createdAt;
  const path = '/checkout-sessions';
  const body = bodyOf(request);
  const opened = { ...session, status: 'open', completedAt: null, customerDetails: null } as const;
  const created: Sent = { at, method: 'POST', path, status: 201, body, response: serialiseSession(deps, opened) };
  if (!random.happens(mistakeRate)) return [created];
  const earlier = at - random.integer(2, 40) * secondMs;
  if (random.happens(0.5)) {
    const id = newId('pi', earlier, deps.random);
    return [
      { at: earlier, method: 'GET', path: `/payment-intents/${id}`, ...failed(paymentIntentNotFound(id)) },
      created,
    ];
  }
  const refused = checkCurrency(wrongCurrency, { currencies: [] });
  if (refused === null) return [created];
  return [
    { at: earlier, method: 'POST', path, body: { ...body, currency: wrongCurrency }, ...failed(refused) },
    created,
  ];
}

/** The shop looks the session up when the customer comes back. */
function returned(deps: PastRequestsDeps, session: CheckoutSession, random: Sampler): Sent {
  const at = (session.completedAt ?? session.createdAt) + random.integer(1, 4) * secondMs;
  const path = `/checkout-sessions/${session.id}`;
  return { at, method: 'GET', path, status: 200, response: serialiseSession(deps, session) };
}

function failed({ refused, message, param }: Refusal): Pick<Sent, 'status' | 'response'> {
  const { type, status } = errorCodes[refused];
  return { status, response: { error: { type, code: refused, message, ...(param === undefined ? {} : { param }) } } };
}

function bodyOf(request: SessionRequest): Readonly<Record<string, unknown>> {
  return {
    ...{ amount: request.amount, currency: request.currency, metadata: request.metadata },
    ...{ description: request.description, customer_email: request.customerEmail },
    ...{ capture_method: request.captureMethod, locale: request.locale, expires_in: request.expiresInSeconds },
    ...(request.lineItems === null ? {} : { line_items: serialiseLineItems(request.lineItems) }),
    ...(request.returnUrl === null ? {} : { return_url: request.returnUrl }),
  };
}

function recordOf({ scope, keyId, random: bytes }: PastRequestsDeps, sent: Sent, random: Sampler): RequestRecord {
  const { at, method, path, status } = sent;
  const [body, response] = [sent.body === undefined ? '' : JSON.stringify(sent.body), JSON.stringify(sent.response)];
  const ms = method === 'GET' ? 1 + 8 * random.number() ** 3 : 5 + 60 * random.number() ** 3;
  return {
    ...{ merchantId: scope.merchantId, livemode: scope.livemode, id: newId('req', at, bytes) },
    ...{ method, path, status, duration: Math.round(ms * 1_000), keyId, unrecorded: null, createdAt: at },
    ...{ requestBody: body === '' ? null : maskedBody(body), responseBody: maskedBody(response) },
    ...{ requestBytes: Buffer.byteLength(body), responseBytes: Buffer.byteLength(response) },
  };
}
