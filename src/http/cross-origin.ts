// Lets scripts of registered origins read responses. No cookies are involved: every request carries its own secret.

import type { Route } from './route.ts';

/** For a response to a request from an origin that may read it. */
export function readableBy(origin: string): Readonly<Record<string, string>> {
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': 'Request-Id, RateLimit, RateLimit-Policy, Retry-After',
    Vary: 'Origin',
  };
}

/** Responses differ by origin, also if this one may not read them. */
export const readableByNobody: Readonly<Record<string, string>> = { Vary: 'Origin' };

/** Browsers ask before they send an Authorization header to another origin. */
export function preflightRoute(path: string, mayRead: (id: string, origin: string) => Promise<boolean>): Route {
  return {
    method: 'OPTIONS',
    path,
    async handle({ id, headers }) {
      const { origin = '' } = headers;
      if (!(await mayRead(id, origin))) return { status: 204, headers: readableByNobody, body: '' };
      const allowed = {
        ...readableBy(origin),
        'Access-Control-Allow-Methods': 'GET',
        'Access-Control-Allow-Headers': 'Authorization',
        'Access-Control-Max-Age': '600',
      };
      return { status: 204, headers: allowed, body: '' };
    },
  };
}
