// An example of every error, for the API's description.

import type { ErrorCode } from '../domain/errors.ts';

export const errorExamples: Record<ErrorCode, { readonly message: string; readonly param?: string }> = {
  parameter_missing: { message: '`currency` is missing: for example "EUR".', param: 'currency' },
  parameter_invalid: { message: '`amount` must be an integer, not a string: for example 1250.', param: 'amount' },
  parameter_unknown: { message: '`ammount` is not a parameter here. Known: amount, currency, …', param: 'ammount' },
  json_invalid: { message: 'The body is not valid JSON: at position 17. Check quotes and commas.' },
  currency_not_supported: {
    message: '`EUX` is not a supported currency. Send an ISO 4217 code such as EUR.',
    param: 'currency',
  },
  currency_not_enabled: { message: 'BGN is not enabled for this account.', param: 'currency' },
  payment_method_not_enabled: { message: '`blik` does not take EUR. Leave it out.', param: 'payment_method_types[0]' },
  idempotency_key_invalid: { message: 'The Idempotency-Key must be a UUID, a new one for each thing that you create.' },
  live_mode_not_configured: {
    message: 'No acquirer is configured for live mode. Use a test key (sk_test_…) meanwhile.',
  },
  api_key_missing: { message: 'Send your API key: `Authorization: Bearer sk_test_…`.' },
  api_key_invalid: { message: 'This is not a whole API key: its checksum does not fit. Copy it again.' },
  api_key_revoked: { message: 'This API key was revoked. Make a new one with `paydesk key create`.' },
  payment_intent_not_found: { message: 'There is no payment intent `pi_…` for this account and mode.' },
  checkout_session_not_found: { message: 'There is no checkout session `cs_…` for this account and mode.' },
  refund_not_found: { message: 'There is no refund `re_…` for this account and mode.' },
  webhook_endpoint_not_found: { message: 'There is no webhook endpoint `we_…` for this account and mode.' },
  event_not_found: { message: 'There is no event `evt_…` for this account and mode.' },
  route_not_found: { message: 'There is nothing at this path. The API is described at /docs.' },
  method_not_allowed: { message: 'This path does not take PUT. It takes GET, HEAD, PATCH.' },
  request_timeout: { message: 'The request did not arrive whole in 30 seconds. Send it again.' },
  body_too_large: { message: 'The body is too large: at most 1048576 bytes are taken.' },
  content_type_invalid: { message: 'Send the body as JSON, with `Content-Type: application/json`.' },
  expectation_failed: { message: 'Of expectations, only `Expect: 100-continue` is met. Leave the header out.' },
  session_not_open: { message: 'This session is expired; only an open one can change. Create a new session.' },
  payment_in_progress: {
    message:
      'The acquirer has not confirmed this capture yet. Send the same request with the same Idempotency-Key again.',
  },
  payment_not_capturable: { message: 'Only a payment that is `requires_capture` can be captured.' },
  payment_not_cancelable: { message: 'This payment is `succeeded`, and can no longer be canceled. Refund it instead.' },
  payment_not_refundable: { message: 'Only a captured payment can be refunded; this one is `processing`.' },
  webhook_endpoint_disabled: {
    message: 'This endpoint is disabled. Enable it first: PATCH it with `disabled: false`.',
  },
  webhook_endpoint_limit_reached: {
    message: 'This account has 2000 webhook endpoints in this mode, the most that are kept. Delete one first.',
  },
  event_has_no_endpoint: {
    message:
      'No enabled endpoint subscribes to `refund.created`. Add it to an `enabled_events`, or name an `endpoint`.',
  },
  idempotency_key_reused: { message: 'This Idempotency-Key was used for another request. Use a new key.' },
  headers_too_large: { message: 'The request line and headers are too long: at most 16 KiB.' },
  rate_limited: { message: 'Too many requests. Wait for as many seconds as Retry-After says, then try again.' },
  internal_error: { message: 'Something went wrong on our side. Try again; the request id finds it in the logs.' },
  storage_unavailable: { message: 'Storage does not answer at the moment. Send the same request again shortly.' },
};
