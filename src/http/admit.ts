// Lets a request in: who is calling, and have they any requests left? Every API answer carries the rate limit.

import { clientNetwork } from '../domain/client-network.ts';
import { isRefusal, type Refusal, refuse } from '../domain/errors.ts';
import type { Authenticator, Caller, KeyLookUp } from './authenticate.ts';
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
  'Too many requests. Wait for the number of seconds in Retry-After, then try again with increasing delays.',
);

/**
 * Counts by key; what has no valid key counts by address, so that guessing keys is limited too. Answers at once where
 * nothing must be waited for, which is nearly always.
 */
export function admit(admission: Admission, request: HttpRequest): Admitted<Caller> | Promise<Admitted<Caller>> {
  const who = admission.authenticator.authenticate(request.headers.authorization);
  if ('run' in who) return admitAfterLookUp(admission, request, who);
  return count(admission, isRefusal(who) ? addressBucket(request) : who.keyId, who);
}

export function admitStranger(admission: Admission, request: HttpRequest): Admitted<null> | Promise<Admitted<null>> {
  return count(admission, addressBucket(request), null);
}

function addressBucket({ ip }: HttpRequest): string {
  return `address:${clientNetwork(ip)}`;
}

/**
 * A key that was never found here is counted by address before storage is asked for it. In a bucket of its own: others at
 * the same address, with no key at all, must not keep a good one from its first request.
 */
async function admitAfterLookUp(
  admission: Admission,
  request: HttpRequest,
  { isGuess, run }: KeyLookUp,
): Promise<Admitted<Caller>> {
  const guess = () => count(admission, `look-up:${clientNetwork(request.ip)}`, null);
  const before = isGuess ? await guess() : null;
  if (before !== null && isRefusal(before.who)) return { who: before.who, headers: before.headers };
  const found = await run();
  if (!isRefusal(found)) return count(admission, found.keyId, found);
  const { who, headers } = before ?? (await guess());
  if (isRefusal(who)) return { who, headers };
  return { who: found, headers: found.refused === 'rate_limited' ? { ...headers, 'Retry-After': '1' } : headers };
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
