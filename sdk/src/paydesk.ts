// The client: what merchants import from `@paydesk/node`.
//
//   const paydesk = new Paydesk({ apiKey: process.env.PAYDESK_API_KEY });
//   const session = await paydesk.checkoutSessions.create({ amount: 1250, currency: 'EUR' });

import type { Merchant } from './api/resources.ts';
import { type PaydeskOptions, settingsFrom } from './options.ts';
import { CheckoutSessions } from './resources/checkout-sessions.ts';
import { Disputes } from './resources/disputes.ts';
import { Events } from './resources/events.ts';
import { PaymentIntents } from './resources/payment-intents.ts';
import { PaymentLinks } from './resources/payment-links.ts';
import { Refunds } from './resources/refunds.ts';
import { WebhookEndpoints } from './resources/webhook-endpoints.ts';
import { type Call, type CallOptions, sender } from './sender.ts';
import { webhooks } from './webhooks.ts';

export class Paydesk {
  readonly checkoutSessions: CheckoutSessions;
  readonly paymentIntents: PaymentIntents;
  readonly paymentLinks: PaymentLinks;
  readonly refunds: Refunds;
  readonly disputes: Disputes;
  readonly webhookEndpoints: WebhookEndpoints;
  readonly events: Events;
  /** The same as the export with this name, which needs no client. */
  readonly webhooks: typeof webhooks = webhooks;
  /** Private, so that logging a client does not reveal its key. */
  readonly #call: Call;

  constructor(options: PaydeskOptions = {}) {
    const settings = settingsFrom(options);
    const call = sender(settings);
    this.#call = call;
    this.checkoutSessions = new CheckoutSessions(call);
    this.paymentIntents = new PaymentIntents(call, settings.runtime);
    this.paymentLinks = new PaymentLinks(call);
    this.refunds = new Refunds(call);
    this.disputes = new Disputes(call);
    this.webhookEndpoints = new WebhookEndpoints(call);
    this.events = new Events(call);
  }

  /** Retrieves the merchant and mode of the API key. Use it to check that a key works. */
  me(options?: CallOptions): Promise<Merchant> {
    return this.#call('getMe', {}, options);
  }
}

export type * from './api/error-codes.ts';
export type * from './api/events.ts';
export type * from './api/params.ts';
export type * from './api/resources.ts';
export type * from './api/webhook-endpoints.ts';
export {
  ApiError,
  AuthenticationError,
  ConnectionError,
  IdempotencyError,
  InvalidRequestError,
  PaydeskError,
  type PaydeskErrorCode,
  RateLimitError,
  SignatureError,
  WaitTimeoutError,
} from './errors.ts';
export type { List } from './list.ts';
export type { PaydeskOptions } from './options.ts';
export type { CheckoutSessions } from './resources/checkout-sessions.ts';
export type { Disputes } from './resources/disputes.ts';
export type { Events } from './resources/events.ts';
export type { PaymentIntents } from './resources/payment-intents.ts';
export type { Refunds } from './resources/refunds.ts';
export type { WebhookEndpoints } from './resources/webhook-endpoints.ts';
export type { Runtime } from './runtime.ts';
export type { CallOptions } from './sender.ts';
export type { Fetch } from './transport.ts';
export type { WebhookRefusal } from './verify-webhook.ts';
export type { WaitOptions } from './wait-for-outcome.ts';
export { type ConstructEventOptions, type TestSignature, webhooks } from './webhooks.ts';
