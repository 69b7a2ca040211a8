// Lets a request in: who is calling, and have they any requests left? Every API answer carries the rate limit.

import { isRefusal, type Refusal, refuse } from '../domain/errors.ts';
import type { Authenticator, Caller } from './authenticate.ts';
import { type RateAnswer, type RateLimiter, rateLimitHeaders } from './rate-limit.ts';
import type { HttpRequest } from './route.ts';

export interface Admission {
  readonly authenticator: Authenticator;
  /** Null: no limits. */
  readonly rateLimiter: RateLimiter | null;
  readonly onRateLimited: () => void;
}

export interface Admitted<Who> {
  readonly who: Who | Refusal;
  /** To go into the answer. */
  readonly headers: Readonly<Record<string, string>>;
}

const tooMany = refuse(
  'rate_limited',
  'Too many requests. Wait for as many seconds as Retry-After says, then try again with a growing pause.',
);

/**
 * Counts by key; what has no valid key counts by address, so that guessing keys is limited too. Answers at once where
 * nothing must be waited for, which is nearly always.
 */
export function admit(admission: Admission, request: HttpRequest): Admitted<Caller> | Promise<Admitted<Caller>> {
  const who = admission.authenticator.authenticate(request.headers.authorization);
  const counted = (found: Caller | Refusal) =>
    count(admission, isRefusal(found) ? `address:${request.ip}` : found.keyId, found);
  return who instanceof Promise ? who.then(counted) : counted(who);
}

export function admitStranger(admission: Admission, request: HttpRequest): Admitted<null> | Promise<Admitted<null>> {
  return count(admission, `address:${request.ip}`, null);
}

function count<Who>(
  { rateLimiter, onRateLimited }: Admission,
  bucket: string,
  who: Who | Refusal,
): Admitted<Who> | Promise<Admitted<Who>> {
  if (rateLimiter === null) return { who, headers: {} };
  const { limit } = rateLimiter;
  const admitted = (counted: RateAnswer): Admitted<Who> => {
    if (!counted.allowed) onRateLimited();
    return { who: counted.allowed ? who : tooMany, headers: rateLimitHeaders(limit, counted) };
  };
  const counted = rateLimiter.take(bucket);
  return counted instanceof Promise ? counted.then(admitted) : admitted(counted);
}
