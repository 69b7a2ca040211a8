// Every error that the API and the dashboard can return: its code, HTTP status and type. Nothing else determines a status.

export const apiErrorCodes = {
  parameter_missing: { status: 400, type: 'invalid_request_error' },
  parameter_invalid: { status: 400, type: 'invalid_request_error' },
  parameter_unknown: { status: 400, type: 'invalid_request_error' },
  json_invalid: { status: 400, type: 'invalid_request_error' },
  currency_not_supported: { status: 400, type: 'invalid_request_error' },
  currency_not_enabled: { status: 400, type: 'invalid_request_error' },
  payment_method_not_enabled: { status: 400, type: 'invalid_request_error' },
  idempotency_key_invalid: { status: 400, type: 'invalid_request_error' },
  live_mode_not_configured: { status: 400, type: 'invalid_request_error' },
  api_key_missing: { status: 401, type: 'authentication_error' },
  api_key_invalid: { status: 401, type: 'authentication_error' },
  api_key_revoked: { status: 401, type: 'authentication_error' },
  api_key_expired: { status: 401, type: 'authentication_error' },
  client_secret_invalid: { status: 401, type: 'authentication_error' },
  payment_intent_not_found: { status: 404, type: 'invalid_request_error' },
  checkout_session_not_found: { status: 404, type: 'invalid_request_error' },
  refund_not_found: { status: 404, type: 'invalid_request_error' },
  dispute_not_found: { status: 404, type: 'invalid_request_error' },
  payment_link_not_found: { status: 404, type: 'invalid_request_error' },
  webhook_endpoint_not_found: { status: 404, type: 'invalid_request_error' },
  event_not_found: { status: 404, type: 'invalid_request_error' },
  route_not_found: { status: 404, type: 'invalid_request_error' },
  method_not_allowed: { status: 405, type: 'invalid_request_error' },
  request_timeout: { status: 408, type: 'invalid_request_error' },
  body_too_large: { status: 413, type: 'invalid_request_error' },
  content_type_invalid: { status: 415, type: 'invalid_request_error' },
  expectation_failed: { status: 417, type: 'invalid_request_error' },
  session_not_open: { status: 409, type: 'invalid_request_error' },
  payment_in_progress: { status: 409, type: 'invalid_request_error' },
  payment_not_capturable: { status: 409, type: 'invalid_request_error' },
  payment_not_cancelable: { status: 409, type: 'invalid_request_error' },
  payment_not_refundable: { status: 409, type: 'invalid_request_error' },
  webhook_endpoint_disabled: { status: 409, type: 'invalid_request_error' },
  webhook_endpoint_limit_reached: { status: 409, type: 'invalid_request_error' },
  event_has_no_endpoint: { status: 409, type: 'invalid_request_error' },
  idempotency_key_reused: { status: 422, type: 'idempotency_error' },
  headers_too_large: { status: 431, type: 'invalid_request_error' },
  rate_limited: { status: 429, type: 'rate_limit_error' },
  internal_error: { status: 500, type: 'api_error' },
  storage_unavailable: { status: 503, type: 'api_error' },
} as const;

/** Only the dashboard's own calls return these; they are not part of the API. */
const dashboardErrorCodes = {
  password_weak: { status: 400, type: 'invalid_request_error' },
  link_invalid: { status: 400, type: 'invalid_request_error' },
  code_invalid: { status: 400, type: 'invalid_request_error' },
  sign_in_required: { status: 401, type: 'authentication_error' },
  sign_in_failed: { status: 401, type: 'authentication_error' },
  role_not_allowed: { status: 403, type: 'authentication_error' },
  csrf_token_invalid: { status: 403, type: 'authentication_error' },
  origin_not_allowed: { status: 403, type: 'authentication_error' },
  password_required: { status: 403, type: 'authentication_error' },
  password_wrong: { status: 403, type: 'authentication_error' },
  second_factor_required: { status: 403, type: 'authentication_error' },
  merchant_not_found: { status: 404, type: 'invalid_request_error' },
  user_not_found: { status: 404, type: 'invalid_request_error' },
  session_not_found: { status: 404, type: 'invalid_request_error' },
  api_key_not_found: { status: 404, type: 'invalid_request_error' },
  acquirer_account_not_found: { status: 404, type: 'invalid_request_error' },
  request_not_found: { status: 404, type: 'invalid_request_error' },
  api_key_not_active: { status: 409, type: 'invalid_request_error' },
  last_owner: { status: 409, type: 'invalid_request_error' },
  already_member: { status: 409, type: 'invalid_request_error' },
  link_not_possible: { status: 409, type: 'invalid_request_error' },
  second_factor_on: { status: 409, type: 'invalid_request_error' },
  second_factor_off: { status: 409, type: 'invalid_request_error' },
  sign_in_delayed: { status: 429, type: 'rate_limit_error' },
} as const;

export const errorCodes = { ...apiErrorCodes, ...dashboardErrorCodes };

export type ApiErrorCode = keyof typeof apiErrorCodes;
export type ErrorCode = keyof typeof errorCodes;

/** An expected error. The message says what to do about it. */
export interface Refusal {
  readonly refused: ErrorCode;
  readonly message: string;
  readonly param?: string;
  /** How long to wait before retrying the same request. */
  readonly retryAfterSeconds?: number;
}

/** Distinguishes a refusal from any other value: a merchant's metadata may also have a key named `refused`. */
const mark = Symbol('refusal');

export function refuse(code: ErrorCode, message: string, param?: string): Refusal {
  const refusal: Refusal = param === undefined ? { refused: code, message } : { refused: code, message, param };
  return Object.defineProperty(refusal, mark, { value: true });
}

/** The same request may succeed later. */
export function refuseForNow(code: ErrorCode, retryAfterSeconds: number, message: string): Refusal {
  return Object.defineProperty({ refused: code, message, retryAfterSeconds }, mark, { value: true });
}

/** Too many requests in too short a time. */
export function refuseUntilLater(retryAfterSeconds: number, message: string): Refusal {
  return refuseForNow('rate_limited', retryAfterSeconds, message);
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && mark in value;
}
