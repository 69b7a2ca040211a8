// Lets a request in: who is calling, and have they any requests left? Every API answer carries the rate limit.

import { isRefusal, type Refusal, refuse } from '../domain/errors.ts';
import type { Authenticator, Caller } from './authenticate.ts';
import { type RateLimiter, rateLimitHeaders } from './rate-limit.ts';
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

/** Counts by key; what has no valid key counts by address, so that guessing keys is limited too. */
export async function admit(admission: Admission, request: HttpRequest): Promise<Admitted<Caller>> {
  const who = await admission.authenticator.authenticate(request.headers.authorization);
  return count(admission, isRefusal(who) ? `address:${request.ip}` : who.keyId, who);
}

export function admitStranger(admission: Admission, request: HttpRequest): Promise<Admitted<null>> {
  return count(admission, `address:${request.ip}`, null);
}

async function count<Who>(
  { rateLimiter, onRateLimited }: Admission,
  bucket: string,
  who: Who | Refusal,
): Promise<Admitted<Who>> {
  if (rateLimiter === null) return { who, headers: {} };
  const counted = await rateLimiter.take(bucket);
  const headers = rateLimitHeaders(rateLimiter.limit, counted);
  if (counted.allowed) return { who, headers };
  onRateLimited();
  return { who: tooMany, headers };
}
