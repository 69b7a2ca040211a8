// Admits a request: authenticates the caller and checks the rate limit, which every API response reports.

import { clientNetwork } from '../domain/client-network.ts';
import { isRefusal, type Refusal, refuse } from '../domain/errors.ts';
import type { Authenticator, Caller, KeyLookUp } from './authenticate.ts';
import { type RateLimiter, type RateLimitResult, rateLimitHeaders } from './rate-limit.ts';
import type { HttpRequest } from './route.ts';

export interface Admission {
  readonly authenticator: Authenticator;
  /** Null: no rate limit. */
  readonly rateLimiter: RateLimiter | null;
  readonly onRateLimited: () => void;
}

export interface Admitted<Identity> {
  readonly who: Identity | Refusal;
  /** Headers to include in the response. */
  readonly headers: Readonly<Record<string, string>>;
}

const tooManyRequests = refuse(
  'rate_limited',
  'Too many requests. Wait for the number of seconds in Retry-After, then try again with increasing delays.',
);

/**
 * Counts requests by key; those without a valid key count by address, so that guessing keys is limited too. Synchronous
 * unless a key must be looked up or the limit is shared.
 */
export function admit(admission: Admission, request: HttpRequest): Admitted<Caller> | Promise<Admitted<Caller>> {
  const who = admission.authenticator.authenticate(request.headers.authorization);
  if ('run' in who) return admitAfterLookUp(admission, request, who);
  return count(admission, isRefusal(who) ? addressBucket(request) : who.keyId, who);
}

export function admitAnonymous(admission: Admission, request: HttpRequest): Admitted<null> | Promise<Admitted<null>> {
  return count(admission, addressBucket(request), null);
}

function addressBucket({ ip }: HttpRequest): string {
  return `address:${clientNetwork(ip)}`;
}

/**
 * A key that this process has not seen before is counted by address before it is looked up in storage. It has its own
 * bucket: clients at the same address that send no key must not block the first request with a valid one.
 */
async function admitAfterLookUp(
  admission: Admission,
  request: HttpRequest,
  { isGuess, run }: KeyLookUp,
): Promise<Admitted<Caller>> {
  const countGuess = () => count(admission, `look-up:${clientNetwork(request.ip)}`, null);
  const earlier = isGuess ? await countGuess() : null;
  if (earlier !== null && isRefusal(earlier.who)) return { who: earlier.who, headers: earlier.headers };
  const found = await run();
  if (!isRefusal(found)) return count(admission, found.keyId, found);
  const { who, headers } = earlier ?? (await countGuess());
  if (isRefusal(who)) return { who, headers };
  return { who: found, headers: found.refused === 'rate_limited' ? { ...headers, 'Retry-After': '1' } : headers };
}

function count<Identity>(
  { rateLimiter, onRateLimited }: Admission,
  bucket: string,
  who: Identity | Refusal,
): Admitted<Identity> | Promise<Admitted<Identity>> {
  if (rateLimiter === null) return { who, headers: {} };
  const { limit } = rateLimiter;
  const admitted = (counted: RateLimitResult): Admitted<Identity> => {
    if (!counted.allowed) onRateLimited();
    return { who: counted.allowed ? who : tooManyRequests, headers: rateLimitHeaders(limit, counted) };
  };
  const counted = rateLimiter.take(bucket);
  return counted instanceof Promise ? counted.then(admitted) : admitted(counted);
}
