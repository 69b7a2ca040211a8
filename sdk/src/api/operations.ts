// Every operation of the API: where it is, what it takes, what it answers.
// Made by `node test/support/write-sdk-types.ts` out of the OpenAPI document.

import type { Event } from './events.ts';
import type {
  CancelPaymentIntentParams,
  CapturePaymentIntentParams,
  CreateCheckoutSessionParams,
  CreateWebhookEndpointParams,
  ListCheckoutSessionsParams,
  ListDeliveriesParams,
  ListEventsParams,
  ListPaymentIntentsParams,
  ListRefundsParams,
  ListWebhookEndpointsParams,
  RefundPaymentIntentParams,
  ResendEventParams,
  ResendFailedDeliveriesParams,
  RotateWebhookSecretParams,
  UpdateCheckoutSessionParams,
  UpdateWebhookEndpointParams,
} from './params.ts';
import type {
  CheckoutSession,
  DeletedWebhookEndpoint,
  Delivery,
  Merchant,
  Page,
  PaymentIntent,
  Refund,
  Resent,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
} from './resources.ts';

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
  refundPaymentIntent: { method: 'POST', path: '/payment-intents/{id}/refund' },
  listRefunds: { method: 'GET', path: '/refunds' },
  getRefund: { method: 'GET', path: '/refunds/{id}' },
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
  createCheckoutSession: { params: CreateCheckoutSessionParams; answer: CheckoutSession };
  listCheckoutSessions: { params: ListCheckoutSessionsParams; answer: Page<CheckoutSession> };
  getCheckoutSession: { params: undefined; answer: CheckoutSession };
  updateCheckoutSession: { params: UpdateCheckoutSessionParams; answer: CheckoutSession };
  expireCheckoutSession: { params: undefined; answer: CheckoutSession };
  listPaymentIntents: { params: ListPaymentIntentsParams; answer: Page<PaymentIntent> };
  getPaymentIntent: { params: undefined; answer: PaymentIntent };
  capturePaymentIntent: { params: CapturePaymentIntentParams; answer: PaymentIntent };
  cancelPaymentIntent: { params: CancelPaymentIntentParams; answer: PaymentIntent };
  refundPaymentIntent: { params: RefundPaymentIntentParams; answer: Refund };
  listRefunds: { params: ListRefundsParams; answer: Page<Refund> };
  getRefund: { params: undefined; answer: Refund };
  createWebhookEndpoint: { params: CreateWebhookEndpointParams; answer: WebhookEndpointWithSecret };
  listWebhookEndpoints: { params: ListWebhookEndpointsParams; answer: Page<WebhookEndpoint> };
  getWebhookEndpoint: { params: undefined; answer: WebhookEndpoint };
  updateWebhookEndpoint: { params: UpdateWebhookEndpointParams; answer: WebhookEndpoint };
  deleteWebhookEndpoint: { params: undefined; answer: DeletedWebhookEndpoint };
  rotateWebhookSecret: { params: RotateWebhookSecretParams; answer: WebhookEndpointWithSecret };
  testWebhookEndpoint: { params: undefined; answer: Event };
  resendFailedDeliveries: { params: ResendFailedDeliveriesParams; answer: Resent };
  listEvents: { params: ListEventsParams; answer: Page<Event> };
  getEvent: { params: undefined; answer: Event };
  resendEvent: { params: ResendEventParams; answer: Page<Delivery> };
  listDeliveries: { params: ListDeliveriesParams; answer: Page<Delivery> };
  getMe: { params: undefined; answer: Merchant };
}
