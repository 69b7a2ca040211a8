// Stripe's error responses.

export interface ErrorFields {
  readonly code?: string;
  readonly param?: string;
  readonly decline_code?: string;
  readonly charge?: string;
  readonly payment_intent?: unknown;
  readonly payment_method?: unknown;
}

export class StripeError extends Error {
  readonly status: number;
  readonly type: string;
  readonly fields: ErrorFields;
  /** Stripe keeps the response under the idempotency key: the endpoint had begun to execute. */
  readonly kept: boolean;

  constructor(status: number, type: string, message: string, fields: ErrorFields = {}, kept = false) {
    super(message);
    this.status = status;
    this.type = type;
    this.fields = fields;
    this.kept = kept;
  }

  body(): unknown {
    const { type, message, fields } = this;
    const links = { request_log_url: 'https://dashboard.stripe.com/test/logs/req_simulated' };
    return { error: { ...fields, ...links, message, type } };
  }
}

/** Refused before the endpoint began to execute: not kept under the idempotency key. */
export function invalidRequest(message: string, fields: ErrorFields = {}, status = 400): StripeError {
  return new StripeError(status, 'invalid_request_error', message, fields);
}

/** Refused by the endpoint: kept under the idempotency key. */
export function refusedByState(message: string, fields: ErrorFields): StripeError {
  return new StripeError(400, 'invalid_request_error', message, fields, true);
}

export function notFound(kind: string, id: string, param: string): StripeError {
  return invalidRequest(`No such ${kind}: '${id}'`, { code: 'resource_missing', param }, 404);
}
