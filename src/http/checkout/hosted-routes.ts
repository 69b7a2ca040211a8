// The routes of the hosted checkout: the pages on their own.

import type { Route } from '../route.ts';
import { type CheckoutDeps, checkoutHandlers } from './checkout-handlers.ts';
import { hostedPlace } from './checkout-place.ts';
import { redirect } from './page-reply.ts';

export function hostedRoutes(deps: CheckoutDeps): Route[] {
  const { page, next, pay, returned, status, fault, withSession } = checkoutHandlers(deps, hostedPlace(deps));
  const routes: Route[] = [
    { method: 'GET', path: '/checkout/:id', handle: page },
    { method: 'GET', path: '/checkout/:id/next', handle: next },
    { method: 'POST', path: '/checkout/:id/pay', fault: fault(true), handle: pay },
    {
      // This URL only accepts the form. A customer who opens it from a link or the history is sent to the page.
      method: 'GET',
      path: '/checkout/:id/pay',
      handle: withSession((_request, { session }) => redirect(`/checkout/${session.id}`)),
    },
    { method: 'GET', path: '/checkout/:id/return', fault: fault(true), handle: returned },
    { method: 'GET', path: '/checkout/:id/status', handle: status },
  ];
  return routes.map((route) => ({ fault: fault(false), ...route }));
}
