// Idempotency keys as Stripe keeps them: for 24 hours, with the parameters and the response of the first request.

import { StripeError } from './stripe-error.ts';

export interface Response {
  readonly status: number;
  readonly body: unknown;
}

interface Kept {
  readonly at: number;
  readonly request: string;
  response: Response | null;
}

export interface IdempotencyKeys {
  /** The kept response, or null if this request is the first and must be executed. */
  claim(key: string, request: string): Response | null;
  /** `response` null: nothing is kept, because the endpoint did not begin to execute. */
  settle(key: string, response: Response | null): void;
  /** How many keys are kept. */
  size(): number;
}

const keptForSeconds = 86_400;

export function idempotencyKeys(now: () => number): IdempotencyKeys {
  const keys = new Map<string, Kept>();
  return {
    claim(key, request) {
      const kept = keys.get(key);
      if (kept === undefined || now() - kept.at >= keptForSeconds) {
        keys.set(key, { at: now(), request, response: null });
        return null;
      }
      if (kept.request !== request)
        throw new StripeError(
          400,
          'idempotency_error',
          'Keys for idempotent requests can only be used with the same parameters they were first used with.',
        );
      if (kept.response === null)
        throw new StripeError(
          409,
          'idempotency_error',
          'There is currently another in-progress request using this Idempotency-Key.',
          { code: 'idempotency_key_in_use' },
        );
      return kept.response;
    },
    settle(key, response) {
      const kept = keys.get(key);
      if (response === null) keys.delete(key);
      else if (kept !== undefined) kept.response = response;
    },
    size: () => keys.size,
  };
}
