// Every operation of the API: where it is, what it accepts, what it returns.
// Generated from the OpenAPI document by `node test/support/write-sdk-types.ts`.

import type { Event } from './events.ts';
import type {
  CancelPaymentIntentParams,
  CapturePaymentIntentParams,
  CreateCheckoutSessionParams,
  CreatePaymentLinkParams,
  CreateWebhookEndpointParams,
  ListCheckoutSessionsParams,
  ListDeliveriesParams,
  ListDisputesParams,
  ListEventsParams,
  ListPaymentIntentsParams,
  ListPaymentLinksParams,
  ListRefundsParams,
  ListWebhookEndpointsParams,
  RefundPaymentIntentParams,
  ResendEventParams,
  ResendFailedDeliveriesParams,
  RotateWebhookSecretParams,
  UpdateCheckoutSessionParams,
  UpdatePaymentLinkParams,
  UpdateWebhookEndpointParams,
} from './params.ts';
import type { CheckoutSession, Dispute, Merchant, Page, PaymentIntent, PaymentLink, Refund } from './resources.ts';
import type {
  DeletedWebhookEndpoint,
  Delivery,
  Resent,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
} from './webhook-endpoints.ts';

export const operations = {
  createCheckoutSession: { method: 'POST', path: '/checkout-sessions' },
  listCheckoutSessions: { method: 'GET', path: '/checkout-sessions' },
  getCheckoutSession: { method: 'GET', path: '/checkout-sessions/{id}' },
  updateCheckoutSession: { method: 'PATCH', path: '/checkout-sessions/{id}' },
  expireCheckoutSession: { method: 'POST', path: '/checkout-sessions/{id}/expire' },
  listPaymentIntents: { method: 'GET', path: '/payment-intents' },
  getPaymentIntent: { method: 'GET', path: '/payment-intents/{id}' },
  capturePaymentIntent: { method: 'POST', path: '/payment-intents/{id}/capture' },
  cancelPaymentIntent: { method: 'POST', path: '/payment-intents/{id}/cancel' },
  createPaymentLink: { method: 'POST', path: '/payment-links' },
  listPaymentLinks: { method: 'GET', path: '/payment-links' },
  getPaymentLink: { method: 'GET', path: '/payment-links/{id}' },
  updatePaymentLink: { method: 'PATCH', path: '/payment-links/{id}' },
  refundPaymentIntent: { method: 'POST', path: '/payment-intents/{id}/refund' },
  listRefunds: { method: 'GET', path: '/refunds' },
  getRefund: { method: 'GET', path: '/refunds/{id}' },
  listDisputes: { method: 'GET', path: '/disputes' },
  getDispute: { method: 'GET', path: '/disputes/{id}' },
  createWebhookEndpoint: { method: 'POST', path: '/webhook-endpoints' },
  listWebhookEndpoints: { method: 'GET', path: '/webhook-endpoints' },
  getWebhookEndpoint: { method: 'GET', path: '/webhook-endpoints/{id}' },
  updateWebhookEndpoint: { method: 'PATCH', path: '/webhook-endpoints/{id}' },
  deleteWebhookEndpoint: { method: 'DELETE', path: '/webhook-endpoints/{id}' },
  rotateWebhookSecret: { method: 'POST', path: '/webhook-endpoints/{id}/rotate-secret' },
  testWebhookEndpoint: { method: 'POST', path: '/webhook-endpoints/{id}/test' },
  resendFailedDeliveries: { method: 'POST', path: '/webhook-endpoints/{id}/resend-failed' },
  listEvents: { method: 'GET', path: '/events' },
  getEvent: { method: 'GET', path: '/events/{id}' },
  resendEvent: { method: 'POST', path: '/events/{id}/resend' },
  listDeliveries: { method: 'GET', path: '/events/{id}/deliveries' },
  getMe: { method: 'GET', path: '/me' },
} as const;

export interface Operations {
  createCheckoutSession: { params: CreateCheckoutSessionParams; response: CheckoutSession };
  listCheckoutSessions: { params: ListCheckoutSessionsParams; response: Page<CheckoutSession> };
  getCheckoutSession: { params: undefined; response: CheckoutSession };
  updateCheckoutSession: { params: UpdateCheckoutSessionParams; response: CheckoutSession };
  expireCheckoutSession: { params: undefined; response: CheckoutSession };
  listPaymentIntents: { params: ListPaymentIntentsParams; response: Page<PaymentIntent> };
  getPaymentIntent: { params: undefined; response: PaymentIntent };
  capturePaymentIntent: { params: CapturePaymentIntentParams; response: PaymentIntent };
  cancelPaymentIntent: { params: CancelPaymentIntentParams; response: PaymentIntent };
  createPaymentLink: { params: CreatePaymentLinkParams; response: PaymentLink };
  listPaymentLinks: { params: ListPaymentLinksParams; response: Page<PaymentLink> };
  getPaymentLink: { params: undefined; response: PaymentLink };
  updatePaymentLink: { params: UpdatePaymentLinkParams; response: PaymentLink };
  refundPaymentIntent: { params: RefundPaymentIntentParams; response: Refund };
  listRefunds: { params: ListRefundsParams; response: Page<Refund> };
  getRefund: { params: undefined; response: Refund };
  listDisputes: { params: ListDisputesParams; response: Page<Dispute> };
  getDispute: { params: undefined; response: Dispute };
  createWebhookEndpoint: { params: CreateWebhookEndpointParams; response: WebhookEndpointWithSecret };
  listWebhookEndpoints: { params: ListWebhookEndpointsParams; response: Page<WebhookEndpoint> };
  getWebhookEndpoint: { params: undefined; response: WebhookEndpoint };
  updateWebhookEndpoint: { params: UpdateWebhookEndpointParams; response: WebhookEndpoint };
  deleteWebhookEndpoint: { params: undefined; response: DeletedWebhookEndpoint };
  rotateWebhookSecret: { params: RotateWebhookSecretParams; response: WebhookEndpointWithSecret };
  testWebhookEndpoint: { params: undefined; response: Event };
  resendFailedDeliveries: { params: ResendFailedDeliveriesParams; response: Resent };
  listEvents: { params: ListEventsParams; response: Page<Event> };
  getEvent: { params: undefined; response: Event };
  resendEvent: { params: ResendEventParams; response: Page<Delivery> };
  listDeliveries: { params: ListDeliveriesParams; response: Page<Delivery> };
  getMe: { params: undefined; response: Merchant };
}
