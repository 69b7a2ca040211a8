// The routes of the hosted checkout: the customer's pages and forms.

import { readCard } from '../../domain/card.ts';
import { type CheckoutSession, isOpen } from '../../domain/checkout-session.ts';
import { clientNetwork } from '../../domain/client-network.ts';
import { errorCodes } from '../../domain/errors.ts';
import { isId } from '../../domain/ids.ts';
import type { Payment } from '../../domain/life-cycle.ts';
import { usesLeft } from '../../domain/link-use.ts';
import type { Merchant } from '../../domain/merchant.ts';
import { isPaymentMethodType, type PaymentMethodType } from '../../domain/payment-methods.ts';
import { serverOf } from '../../domain/serving-account.ts';
import { completeAction } from '../../usecases/complete-action.ts';
import { type PayDeps, type PayResult, pay } from '../../usecases/pay.ts';
import { type HttpReply, type HttpRequest, json, type Route } from '../route.ts';
import { cardEntryOf } from './card-entry.ts';
import { cancelUrl, isNavigation, ownPath, returnUrl } from './destinations.ts';
import type { FormCheck } from './form-origin.ts';
import { attemptTokens, readForm } from './forms.ts';
import { fieldKeeper, type KeptFields, nothingKept } from './kept-fields.ts';
import type { PageOpenings } from './page-openings.ts';
import { pageReply, redirect } from './page-reply.ts';
import { chooseLanguage } from './pages/choose-language.ts';
import { problemIn, problemQuery, type UnstoredProblem } from './problem-query.ts';
import { unavailableMethods } from './unavailable-methods.ts';
import {
  type DeclineReason,
  declineReasons,
  type Frame,
  type Order,
  type PayProblem,
  type RedirectingView,
  type View,
} from './views.ts';

export interface CheckoutDeps extends PayDeps {
  readonly publicUrl: string;
  readonly isOwnForm: FormCheck;
  readonly openings: PageOpenings;
}

/** A payment with what its page needs. */
interface Found extends Payment {
  readonly merchant: Merchant;
}

type Leave = (view: RedirectingView) => HttpReply;

export function checkoutRoutes(deps: CheckoutDeps): Route[] {
  const { store, moment, publicUrl, isOwnForm, acquirers, openings } = deps;
  const tokens = attemptTokens(deps.secretBox);
  const https = publicUrl.startsWith('https:');
  const fields = fieldKeeper(deps.secretBox, https);
  const secondsLeft = ({ session }: Payment): number =>
    Math.max(0, Math.ceil((session.expiresAt - moment().now) / 1000));

  const find = (sessionId: string): Promise<Found | null> =>
    isId('cs', sessionId) ? store.findBy('checkouts', 'id', sessionId) : Promise.resolve(null);
  const show = (view: View, status = 200): HttpReply => pageReply(view, { status, https });
  const notFound = (request: HttpRequest): HttpReply =>
    show({ page: 'not_found', language: chooseLanguage('auto', request.headers['accept-language']).language }, 404);
  /**
   * Redirects to the current state of the payment after a form. Browsers get a page of our own, see
   * `pages/redirecting.ts`; programs, to which form-action does not apply, get the session's URL, which redirects.
   */
  const redirectAfterForm = (request: HttpRequest, sessionId: string): HttpReply =>
    redirect(`/checkout/${sessionId}${isNavigation(request) ? '/next' : ''}`);

  const payable = ({ intent, session }: Payment): boolean =>
    intent.status === 'requires_payment_method' && isOpen(session, moment().now);
  /**
   * Shows the form again. Browsers are redirected to the page's own URL, because the URL of a POST cannot be reloaded
   * or bookmarked. Programs get the form directly.
   */
  async function showFormAgain(
    request: HttpRequest,
    found: Found,
    { problem, kept }: { problem: UnstoredProblem | null; kept: KeptFields },
  ): Promise<HttpReply> {
    const { id } = found.session;
    if (!payable(found)) return redirectAfterForm(request, id);
    if (!isNavigation(request)) return payPage(found, { frame: frameOf(request, found), problem, kept });
    return redirect(`/checkout/${id}${problem === null ? '' : problemQuery(problem)}`);
  }

  async function payPage(
    found: Found,
    { frame, problem, kept }: { frame: Frame; problem: UnstoredProblem | null; kept: KeptFields },
  ): Promise<HttpReply> {
    const { session, intent, merchant } = found;
    const at = moment();
    const methods = session.paymentMethodTypes;
    const entry = methods.includes('card') ? await cardEntryOf(acquirers, found, merchant) : 'own_fields';
    const unavailable = unavailableMethods(acquirers, found, merchant);
    if (entry === 'unavailable') unavailable.set('card', 'provider_down');
    const failed = problem?.kind === 'method_unavailable' ? problem.method : null;
    const view: View = {
      ...frame,
      page: 'pay',
      order: orderOf(found),
      action: `/checkout/${session.id}/pay`,
      attempt: tokens.issue(session.id, at),
      methods,
      unavailable,
      cardEntry: entry === 'unavailable' ? 'redirect' : entry,
      chosen: chosenOf(
        methods,
        [kept.method, intent.paymentMethod?.type],
        (type) => unavailable.has(type) || type === failed,
      ),
      name: kept.name,
      email: session.customerEmail,
      problem: problem ?? lastDecline(found),
      cancelUrl: cancelUrl(session),
      secondsLeft: secondsLeft(found),
      pageUrl: `/checkout/${session.id}`,
    };
    return show(view);
  }

  /** The page for the current state of a payment. `leave` sends the customer to another site. */
  async function currentPage(request: HttpRequest, found: Found, leave: Leave): Promise<HttpReply> {
    const { intent, session } = found;
    const frame = frameOf(request, found);
    if (session.status === 'completed') return fields.forget(afterPayment(frame, found, leave), request, session.id);
    if (intent.status === 'canceled') return show({ ...frame, page: 'cancelled', cancelUrl: cancelUrl(session) }, 410);
    if (intent.status === 'processing') {
      const statusUrl = `/checkout/${session.id}/status`;
      return show({ ...frame, page: 'processing', order: orderOf(found), statusUrl });
    }
    if (!isOpen(session, moment().now)) return show({ ...frame, page: 'expired', cancelUrl: cancelUrl(session) }, 410);
    if (intent.status === 'requires_action') {
      const operation = intent.operationId === null ? null : await store.findBy('operations', 'id', intent.operationId);
      if (operation?.actionUrl != null) return redirectToAction(frame, operation.actionUrl, leave);
    }
    const problem = problemIn(request.query) ?? ((await isLinkUsedUp(session)) ? { kind: 'link_used_up' } : null);
    return payPage(found, { frame, problem, kept: fields.read(request, session.id) });
  }

  /** Told before the customer types anything; the payment itself is refused too. */
  async function isLinkUsedUp(session: CheckoutSession): Promise<boolean> {
    if (session.paymentLinkId === null) return false;
    const link = await store.find('paymentLinks', session, session.paymentLinkId);
    return link !== null && usesLeft(link) <= 0;
  }

  function redirectToAction(frame: Frame, url: string, leave: Leave): HttpReply {
    const path = ownPath(url, publicUrl);
    return path === null ? leave({ ...frame, page: 'redirecting', reason: 'action', url }) : redirect(path);
  }

  function afterPayment(frame: Frame, found: Found, leave: Leave): HttpReply {
    const { intent, session } = found;
    const paid = intent.status === 'succeeded' || intent.status === 'requires_capture';
    const url = returnUrl(session);
    // Shops thank customers who return, so we report a failed payment on our own page first.
    const failed = intent.status === 'requires_payment_method';
    if (url !== null && !failed) {
      const reason = paid ? 'paid' : intent.status === 'processing' ? 'pending' : 'unpaid';
      return leave({ ...frame, page: 'redirecting', reason, url });
    }
    if (intent.status === 'canceled') return show({ ...frame, page: 'cancelled', cancelUrl: cancelUrl(session) }, 410);
    const { type, card } = intent.paymentMethod ?? {};
    return show({
      ...frame,
      page: 'receipt',
      order: orderOf(found),
      outcome: failed ? 'failed' : paid ? 'paid' : 'pending',
      shopUrl: cancelUrl(session) ?? url,
      paidAt: session.completedAt ?? moment().now,
      reference: intent.id,
      method: type === undefined ? null : { type, ...(card ? { cardBrand: card.brand, cardLast4: card.last4 } : {}) },
    });
  }

  async function submit(request: HttpRequest, found: Found): Promise<HttpReply> {
    if (!isOwnForm(request.headers)) {
      return showFormAgain(request, found, { problem: { kind: 'sent_from_elsewhere' }, kept: nothingKept });
    }
    const form = await readForm(request);
    const requested = form?.get('method') ?? '';
    const kept = { method: isPaymentMethodType(requested) ? requested : null, name: form?.get('name') ?? '' };
    const reply = await submitPayment(request, found, form, kept);
    if (!isNavigation(request)) return reply;
    const { id } = found.session;
    return fields.keep(reply, { id, seconds: secondsLeft(found) }, kept);
  }

  async function submitPayment(
    request: HttpRequest,
    found: Found,
    form: URLSearchParams | null,
    kept: KeptFields,
  ): Promise<HttpReply> {
    const { session, merchant } = found;
    const { method, name } = kept;
    const operationId = form && tokens.read(session.id, form.get('attempt') ?? '');
    if (form === null || operationId === null || method === null) {
      return showFormAgain(request, found, { problem: { kind: 'form_expired' }, kept });
    }
    const field = (key: string): string => form.get(key) ?? '';
    // Only the sandbox gets card numbers. With an account, a number in the form is refused and not even read.
    const isSandbox = serverOf(merchant.acquirers, session.livemode, method)?.acquirerId === null;
    if (method === 'card' && !isSandbox && !(await isCardAccepted(found, form)))
      return showFormAgain(request, found, { problem: { kind: 'card_not_accepted' }, kept });
    const typed = () => ({ number: field('number'), expiry: field('expiry'), cvc: field('cvc'), name });
    const card = method === 'card' && isSandbox ? readCard(typed(), moment().now) : undefined;
    const cardToken = method === 'card' && !isSandbox && field('card_token') !== '' ? field('card_token') : undefined;
    if (card !== undefined && 'problems' in card) {
      return showFormAgain(request, found, { problem: { kind: 'invalid', fields: card.problems }, kept });
    }
    const result = await pay(deps, found, {
      sessionId: session.id,
      operationId,
      amount: Number(field('amount')),
      method,
      ...(card === undefined ? {} : { card }),
      ...(cardToken === undefined ? {} : { cardToken }),
      address: clientNetwork(request.ip),
      returnUrl: `${publicUrl}/checkout/${session.id}/return`,
      merchant,
      locale: chooseLanguage(session.locale, request.headers['accept-language']).locale,
    });
    if (result.kind === 'action' && !isNavigation(request)) return redirect(result.url);
    const now = result.kind === 'moved' ? result.payment : undefined;
    const current = now === undefined ? await find(session.id) : { ...found, ...now };
    if (current === null) return notFound(request);
    return showFormAgain(request, current, { problem: problemOf(result, method), kept });
  }

  /** For a card at an account: entered in the provider's fields, or, if it has none, not entered yet. */
  async function isCardAccepted(found: Found, form: URLSearchParams): Promise<boolean> {
    if (form.has('number') || form.has('cvc')) return false;
    if ((form.get('card_token') ?? '') !== '') return true;
    return typeof (await cardEntryOf(acquirers, found, found.merchant)) !== 'object';
  }

  const withSession =
    (handle: (request: HttpRequest, found: Found) => HttpReply | Promise<HttpReply>): Route['handle'] =>
    async (request) => {
      const found = await find(request.id);
      return found === null ? notFound(request) : handle(request, found);
    };

  const fault =
    (paying: boolean): NonNullable<Route['fault']> =>
    ({ requestId, id, headers }, { refused }) => {
      const { language } = chooseLanguage('auto', headers['accept-language']);
      const link = isId('cs', id) ? { pageUrl: `/checkout/${id}` } : {};
      return show({ page: 'fault', language, requestId, paying, ...link }, errorCodes[refused].status);
    };
  const routes: Route[] = [
    {
      method: 'GET',
      path: '/checkout/:id',
      handle: withSession((request, found) => {
        // A HEAD request shows nobody anything.
        if (request.method === 'GET') openings.opened(found.session, moment().now);
        return currentPage(request, found, ({ url }) => redirect(url));
      }),
    },
    {
      method: 'GET',
      path: '/checkout/:id/next',
      handle: withSession((request, found) => currentPage(request, found, show)),
    },
    {
      method: 'POST',
      path: '/checkout/:id/pay',
      fault: fault(true),
      handle: withSession((request, found) =>
        isOpen(found.session, moment().now) ? submit(request, found) : redirectAfterForm(request, found.session.id),
      ),
    },
    {
      // This URL only accepts the form. A customer who opens it from a link or the history is sent to the page.
      method: 'GET',
      path: '/checkout/:id/pay',
      handle: withSession((_request, { session }) => redirect(`/checkout/${session.id}`)),
    },
    {
      method: 'GET',
      path: '/checkout/:id/return',
      fault: fault(true),
      handle: withSession(async (request, { intent, session }) => {
        if (intent.operationId !== null) await completeAction(deps, intent.operationId);
        const after = await find(session.id);
        return after !== null && payable(after)
          ? redirect(`/checkout/${session.id}`)
          : redirectAfterForm(request, session.id);
      }),
    },
    {
      method: 'GET',
      path: '/checkout/:id/status',
      handle: withSession((_request, { intent, session }) => ({
        status: 200,
        headers: { 'Content-Type': json },
        body: JSON.stringify({
          done: intent.status !== 'processing' || session.status !== 'open',
          payable: payable({ intent, session }),
          location: `/checkout/${session.id}`,
        }),
      })),
    },
  ];
  return routes.map((route) => ({ fault: fault(false), ...route }));
}

function frameOf(request: HttpRequest, { session, merchant }: Found): Frame {
  return {
    ...chooseLanguage(session.locale, request.headers['accept-language']),
    testMode: !session.livemode,
    merchant: { name: merchant.name, logoUrl: merchant.logoUrl, accentColor: merchant.accentColor },
  };
}

function orderOf({ intent, session }: Found): Order {
  const { description, lineItems } = session;
  return { amount: intent.amount, currency: intent.currency, description, lineItems };
}

/** Null: the problem, if any, is stored with the payment. */
function problemOf(result: PayResult, method: PaymentMethodType): UnstoredProblem | null {
  switch (result.kind) {
    case 'amount_changed':
    case 'too_many_attempts':
    case 'link_used_up':
      return { kind: result.kind };
    case 'slow_down':
      return { kind: 'slow_down', seconds: result.seconds };
    case 'not_served':
    case 'unavailable':
      return { kind: 'method_unavailable', method };
    case 'method_not_offered':
    case 'form_used':
      return { kind: 'form_expired' };
    default:
      return null;
  }
}

/** The first preference that can be used, or else the first method that can. */
function chosenOf(
  methods: readonly PaymentMethodType[],
  preferred: readonly (PaymentMethodType | null | undefined)[],
  isOut: (type: PaymentMethodType) => boolean,
): PaymentMethodType {
  const usable = methods.filter((type) => !isOut(type));
  const wanted = preferred.find((type) => type != null && usable.includes(type));
  return wanted ?? usable[0] ?? methods[0] ?? 'card';
}

function lastDecline({ intent }: Found): PayProblem | null {
  if (intent.lastPaymentError === null) return null;
  const { code, decline_code: declineCode = code } = intent.lastPaymentError;
  const reason: DeclineReason = declineReasons.find((known) => known === declineCode) ?? 'generic_decline';
  return { kind: 'declined', reason };
}
