// Lets a request in: who is calling, and have they any requests left? Every API answer carries the rate limit.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { isRefusal, refuse } from '../domain/errors.ts';
import type { Authenticator, Caller } from './authenticate.ts';
import { replyRefusal } from './error-reply.ts';
import { type RateLimiter, rateLimitHeaders } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
}

export interface Admission {
  readonly authenticator: Authenticator;
  /** Null: no limits. */
  readonly rateLimiter: RateLimiter | null;
  readonly onRateLimited: () => void;
}

const tooMany = refuse(
  'rate_limited',
  'Too many requests. Wait for as many seconds as Retry-After says, then try again with a growing pause.',
);

/** Counts by key; what has no valid key counts by address, so that guessing keys is limited too. */
export function admit(admission: Admission) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const who = await admission.authenticator.authenticate(request.headers.authorization);
    const refused = isRefusal(who);
    if (!(await count(admission, refused ? `address:${request.ip}` : who.keyId, reply)))
      return replyRefusal(reply, tooMany);
    if (refused) return replyRefusal(reply, who);
    request.caller = who;
    return undefined;
  };
}

export function admitToNothing(admission: Admission) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> =>
    (await count(admission, `address:${request.ip}`, reply)) ? undefined : replyRefusal(reply, tooMany);
}

async function count({ rateLimiter, onRateLimited }: Admission, bucket: string, reply: FastifyReply): Promise<boolean> {
  if (rateLimiter === null) return true;
  const counted = await rateLimiter.take(bucket);
  reply.headers(rateLimitHeaders(rateLimiter.limit, counted));
  if (!counted.allowed) onRateLimited();
  return counted.allowed;
}
