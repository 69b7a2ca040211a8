// An example of every error, for the OpenAPI document.

import type { ApiErrorCode } from '../domain/errors.ts';

export const errorExamples: Record<ApiErrorCode, { readonly message: string; readonly param?: string }> = {
  parameter_missing: { message: '`currency` is missing: for example "EUR".', param: 'currency' },
  parameter_invalid: { message: '`amount` must be an integer, not a string: for example 1250.', param: 'amount' },
  parameter_unknown: { message: '`ammount` is not a parameter here. Known: amount, currency, …', param: 'ammount' },
  json_invalid: { message: 'The body is not valid JSON: at position 17. Check quotes and commas.' },
  currency_not_supported: {
    message: '`EUX` is not a supported currency. Send an ISO 4217 code such as EUR.',
    param: 'currency',
  },
  currency_not_enabled: { message: 'BGN is not enabled for this account.', param: 'currency' },
  payment_method_not_enabled: {
    message: '`blik` does not support EUR. Remove it from the list.',
    param: 'payment_method_types[0]',
  },
  idempotency_key_invalid: { message: 'The Idempotency-Key must be a UUID. Use a new one for each new request.' },
  live_mode_not_configured: {
    message: 'No acquirer is configured for live mode. Use a test key (sk_test_…) for now.',
  },
  api_key_missing: { message: 'Send your API key: `Authorization: Bearer sk_test_…`.' },
  api_key_invalid: { message: 'This API key is mistyped or incomplete: its checksum does not match. Copy it again.' },
  api_key_revoked: { message: 'This API key has been revoked. Create a new one with `paydesk key create`.' },
  api_key_expired: { message: 'This API key expired on 2026-11-15T09:30:00.000Z, because it was replaced.' },
  client_secret_invalid: {
    message: 'Send the `client_secret` of this checkout session: `Authorization: Bearer pi_…_secret_…`.',
  },
  payment_intent_not_found: { message: 'No payment intent `pi_…` exists for this account and mode.' },
  checkout_session_not_found: { message: 'No checkout session `cs_…` exists for this account and mode.' },
  refund_not_found: { message: 'No refund `re_…` exists for this account and mode.' },
  dispute_not_found: { message: 'No dispute `dp_…` exists for this account and mode.' },
  payment_link_not_found: { message: 'No payment link `plink_…` exists for this account and mode.' },
  webhook_endpoint_not_found: { message: 'No webhook endpoint `we_…` exists for this account and mode.' },
  event_not_found: { message: 'No event `evt_…` exists for this account and mode.' },
  route_not_found: { message: 'There is nothing at this path. The API is described at /docs.' },
  method_not_allowed: { message: 'This path does not support PUT. Supported methods: GET, HEAD, PATCH.' },
  request_timeout: { message: 'The request was not received completely within 30 seconds. Send it again.' },
  body_too_large: { message: 'The body is too large. The limit is 1048576 bytes.' },
  content_type_invalid: { message: 'Send the body as JSON, with `Content-Type: application/json`.' },
  expectation_failed: { message: 'Only `Expect: 100-continue` is supported. Remove the header.' },
  session_not_open: { message: 'This session is expired. Only open sessions can be changed. Create a new session.' },
  payment_in_progress: {
    message: 'The acquirer has not confirmed this capture yet. Retry the same request with the same Idempotency-Key.',
  },
  payment_not_capturable: {
    message: 'Only a payment with status `requires_capture` can be captured; this one is `succeeded`.',
  },
  payment_not_cancelable: { message: 'This payment is `succeeded` and can no longer be canceled. Refund it instead.' },
  payment_not_refundable: { message: 'Only a captured payment can be refunded; this one is `processing`.' },
  webhook_endpoint_disabled: {
    message: 'This endpoint is disabled. Enable it first by updating it with `disabled: false`.',
  },
  webhook_endpoint_limit_reached: {
    message: 'This account already has 2000 webhook endpoints in this mode, which is the limit. Delete one first.',
  },
  event_has_no_endpoint: {
    message:
      'No enabled endpoint subscribes to `refund.created`. Add it to the `enabled_events` of an endpoint, or set `endpoint`.',
  },
  idempotency_key_reused: {
    message: 'This Idempotency-Key was already used for a different request. Use a new key for each new request.',
  },
  headers_too_large: { message: 'The request line and headers are too long. The limit is 16 KiB.' },
  rate_limited: { message: 'Too many requests. Wait for the number of seconds in Retry-After, then try again.' },
  internal_error: {
    message: 'Something went wrong on our side. Try again; if the error persists, search the logs for the request id.',
  },
  storage_unavailable: {
    message: 'Storage is not available at the moment. Retry the same request shortly, with the same Idempotency-Key.',
  },
};
