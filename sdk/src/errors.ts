// Everything that the SDK throws: one base with what there is to know, and a class for each type, to be told apart with
// `instanceof`. A message says what is wrong and what to do about it; it never holds a key or a secret.

import type { ErrorCode } from './api/error-codes.ts';
import type { WebhookRefusal } from './verify-webhook.ts';

/** Codes of this package, beside those of the API and of `constructEvent`. */
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
  /** What exactly is wrong, for programs: `session_not_open`. */
  readonly code: PaydeskErrorCode;
  /** The parameter that it is about. */
  readonly param: string | undefined;
  /** Finds the request in the logs of the service. */
  readonly requestId: string | undefined;
  /** The HTTP status; undefined where there was no answer. */
  readonly statusCode: number | undefined;
  /** The key that the request was sent with. Pass it again to go on with the same request, without a second effect. */
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

/** The request cannot be carried out as it is: a parameter is wrong, something does not exist, or is not in that state. */
export class InvalidRequestError extends PaydeskError {
  override readonly name = 'InvalidRequestError';
}

/** The API key is missing, wrong or revoked. */
export class AuthenticationError extends PaydeskError {
  override readonly name = 'AuthenticationError';
}

/** An idempotency key was used again, for another request. */
export class IdempotencyError extends PaydeskError {
  override readonly name = 'IdempotencyError';
}

/** Too many requests, also after the retries. */
export class RateLimitError extends PaydeskError {
  override readonly name = 'RateLimitError';
}

/** The service failed, or something that is not the service answered. */
export class ApiError extends PaydeskError {
  override readonly name = 'ApiError';
}

/** No answer came, also after the retries: the service is not running, not reachable or too slow. */
export class ConnectionError extends PaydeskError {
  override readonly name = 'ConnectionError';
}

/** A webhook is not genuine, or was not handed over as it arrived. Its `code` is the reason. */
export class SignatureError extends PaydeskError {
  override readonly name = 'SignatureError';
}

/** `waitForOutcome` waited as long as it was told to. */
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

/** The error of an answer, in the class of its type; one of a type that is not known yet is still a `PaydeskError`. */
export function answeredError(facts: ErrorFacts): PaydeskError {
  const ofType = Object.hasOwn(classes, facts.type) ? classes[facts.type] : undefined;
  return ofType === undefined ? new PaydeskError(facts) : new ofType(facts);
}

/** A mistake in a call or in the options, found before anything is sent. */
export function misuse(code: PaydeskErrorCode, param: string, message: string): InvalidRequestError {
  return new InvalidRequestError({ type: 'invalid_request_error', code, param, message });
}
