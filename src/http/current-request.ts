// The id of the request that is being handled, for log lines of what is called because of it. Only around routes that
// may call an acquirer: others do not need it.

import { AsyncLocalStorage } from 'node:async_hooks';
import type { Route } from './route.ts';

const current = new AsyncLocalStorage<string>();

/** Undefined outside of requests, as in jobs. */
export function currentRequestId(): string | undefined {
  return current.getStore();
}

/** Looking something up over the API calls no acquirer. */
export function withRequestId(route: Route): Route {
  if (route.method === 'GET' && !route.path.startsWith('/checkout/')) return route;
  return { ...route, handle: (request) => current.run(request.requestId, () => route.handle(request)) };
}
