// All errors of the SDK: one base class with the details, and a class for each type, to be distinguished with
// `instanceof`. A message says what is wrong and what to do about it; it never contains a key or a secret.

import type { ErrorCode } from './api/error-codes.ts';
import type { WebhookRefusal } from './verify-webhook.ts';

/** Codes of this package, in addition to those of the API and of `constructEvent`. */
export type SdkErrorCode =
  | 'option_invalid'
  | 'mode_mismatch'
  | 'connection_refused'
  | 'connection_failed'
  | 'timeout'
  | 'answer_not_understood'
  | 'outcome_unknown';

/** A later version of the service may have further codes. */
export type PaydeskErrorCode = ErrorCode | SdkErrorCode | WebhookRefusal | (string & {});

export interface ErrorFacts {
  readonly type: string;
  readonly code: PaydeskErrorCode;
  readonly message: string;
  readonly param?: string | undefined;
  readonly requestId?: string | undefined;
  readonly statusCode?: number | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

export class PaydeskError extends Error {
  override readonly name: string = 'PaydeskError';
  /** The kind of error, such as `invalid_request_error`. */
  readonly type: string;
  /** The exact problem, for programs: `session_not_open`. */
  readonly code: PaydeskErrorCode;
  /** The parameter that the error is about. */
  readonly param: string | undefined;
  /** The id of the request, for the logs of the service. */
  readonly requestId: string | undefined;
  /** The HTTP status; undefined if there was no response. */
  readonly statusCode: number | undefined;
  /** The idempotency key of the request. Pass it again to retry the same request without a second effect. */
  readonly idempotencyKey: string | undefined;
  /** How long the service asked to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor({ message, cause, ...facts }: ErrorFacts) {
    super(message, cause === undefined ? undefined : { cause });
    this.type = facts.type;
    this.code = facts.code;
    this.param = facts.param;
    this.requestId = facts.requestId;
    this.statusCode = facts.statusCode;
    this.idempotencyKey = facts.idempotencyKey;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

/** The request cannot be executed: a parameter is invalid, or an object does not exist or is in another state. */
export class InvalidRequestError extends PaydeskError {
  override readonly name = 'InvalidRequestError';
}

/** The API key is missing, invalid or revoked. */
export class AuthenticationError extends PaydeskError {
  override readonly name = 'AuthenticationError';
}

/** An idempotency key was reused for a different request. */
export class IdempotencyError extends PaydeskError {
  override readonly name = 'IdempotencyError';
}

/** Too many requests, even after retries. */
export class RateLimitError extends PaydeskError {
  override readonly name = 'RateLimitError';
}

/** The service failed, or the server is not Paydesk. */
export class ApiError extends PaydeskError {
  override readonly name = 'ApiError';
}

/** There was no response, even after retries: the service is not running, not reachable or too slow. */
export class ConnectionError extends PaydeskError {
  override readonly name = 'ConnectionError';
}

/** A webhook is not genuine, or its body was modified. The `code` is the reason. */
export class SignatureError extends PaydeskError {
  override readonly name = 'SignatureError';
}

/** `waitForOutcome` reached its timeout. */
export class WaitTimeoutError extends PaydeskError {
  override readonly name = 'WaitTimeoutError';
}

const classes: Readonly<Record<string, new (facts: ErrorFacts) => PaydeskError>> = {
  invalid_request_error: InvalidRequestError,
  authentication_error: AuthenticationError,
  idempotency_error: IdempotencyError,
  rate_limit_error: RateLimitError,
  api_error: ApiError,
};

/** The error of a response, in the class of its type; an unknown type is still a `PaydeskError`. */
export function errorFromResponse(facts: ErrorFacts): PaydeskError {
  const ofType = Object.hasOwn(classes, facts.type) ? classes[facts.type] : undefined;
  return ofType === undefined ? new PaydeskError(facts) : new ofType(facts);
}

/** A mistake in a call or in the options, found before anything is sent. */
export function misuse(code: PaydeskErrorCode, param: string, message: string): InvalidRequestError {
  return new InvalidRequestError({ type: 'invalid_request_error', code, param, message });
}
