// The routes of the embedded checkout: the frame, the requests of its script, and the way back from a bank.

import { frameAncestors } from '../../domain/embed-origins.ts';
import type { HttpReply, HttpRequest, Route } from '../route.ts';
import { cardEntryOf } from './card-entry.ts';
import { type CheckoutDeps, checkoutHandlers, frameOf } from './checkout-handlers.ts';
import { type Found, hostedPlace } from './checkout-place.ts';
import { returnUrl } from './destinations.ts';
import { embedPlace } from './embed-place.ts';
import { pageReply, renderedReply } from './page-reply.ts';
import { embedReturn, embedReturned, embedShell } from './pages/embed.ts';
import { redirectReason } from './receipt.ts';
import { unavailableMethods } from './unavailable-methods.ts';

export function embedRoutes(deps: CheckoutDeps): Route[] {
  const { publicUrl, acquirers, store } = deps;
  const https = publicUrl.startsWith('https:');
  const { page, next, pay, returned, status, fault } = checkoutHandlers(deps, embedPlace(deps));
  // Loaded by a navigation, which cannot carry a secret. They contain nothing about the payment.
  const { withSession, fault: navigationFault } = checkoutHandlers(deps, {
    ...hostedPlace(deps),
    refuse: () => null,
    page: (id) => `/embed/${id}/resume`,
  });

  async function frame(request: HttpRequest, found: Found): Promise<HttpReply> {
    const { session, merchant } = found;
    const methods = session.paymentMethodTypes;
    const entry = methods.includes('card') ? await cardEntryOf(acquirers, found, merchant) : 'own_fields';
    const shell = embedShell({
      ...frameOf(request, found),
      sessionId: session.id,
      base: `/embed/${session.id}`,
      methods,
      cardEntry: entry === 'unavailable' ? 'redirect' : entry,
      unavailable: unavailableMethods(acquirers, found, merchant),
    });
    const framedBy = frameAncestors(merchant, session.livemode);
    return renderedReply(shell, merchant.logoUrl, { https, framedBy, frames: ["'self'"] });
  }

  /** From the bank: to the dialog that the customer left from, or, if there was none, back to the shop. */
  async function comeBack(request: HttpRequest, found: Found): Promise<HttpReply> {
    const { session, merchant } = found;
    if (request.headers['sec-fetch-dest'] === 'document') return resume(request, found);
    const { language } = frameOf(request, found);
    const framedBy = ["'self'", ...frameAncestors(merchant, session.livemode)];
    return renderedReply(embedReturn({ language, url: `/embed/${session.id}/resume` }), null, { https, framedBy });
  }

  /**
   * Whatever the outcome, the shop's page embeds the checkout again, which shows it. Without `return_url`, the customer has
   * opened the bank's page in another window: the shop's page is still there.
   */
  async function resume(request: HttpRequest, { session, intent, merchant }: Found): Promise<HttpReply> {
    if (intent.operationId !== null) await deps.completeReturnedAction(intent.operationId, { intent, session });
    const after = await store.findBy('checkouts', 'id', session.id);
    const reason = after?.session.status === 'completed' ? redirectReason(after.intent) : 'unpaid';
    const view = { ...frameOf(request, { session, intent, merchant }), reason };
    const url = returnUrl(session);
    if (url === null) return renderedReply(embedReturned(view), merchant.logoUrl, { https });
    return pageReply({ ...view, page: 'redirecting', url }, { https });
  }

  const get = (path: string, handle: Route['handle']): Route => ({ method: 'GET', path, fault: fault(false), handle });
  const post = (path: string, handle: Route['handle']): Route => ({ method: 'POST', path, fault: fault(true), handle });
  return [
    // Without a link: it would lose the secret in the fragment.
    {
      ...get('/embed/:id', withSession(frame)),
      fault: (request, at) => navigationFault(false)({ ...request, id: '' }, at),
    },
    get('/embed/:id/page', page),
    get('/embed/:id/next', next),
    get('/embed/:id/status', status),
    post('/embed/:id/pay', pay),
    post('/embed/:id/returned', returned),
    { ...get('/embed/:id/return', withSession(comeBack)), fault: navigationFault(true) },
    { ...get('/embed/:id/resume', withSession(resume)), fault: navigationFault(true) },
  ];
}
