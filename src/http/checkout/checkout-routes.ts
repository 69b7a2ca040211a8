// The hosted checkout: what a customer sees and sends.

import { readCard } from '../../domain/card.ts';
import { isOpen } from '../../domain/checkout-session.ts';
import { clientNetwork } from '../../domain/client-network.ts';
import { errorCodes } from '../../domain/errors.ts';
import { isId } from '../../domain/ids.ts';
import type { Payment } from '../../domain/life-cycle.ts';
import type { MerchantLook } from '../../domain/merchant.ts';
import { isPaymentMethodType, type PaymentMethodType } from '../../domain/payment-methods.ts';
import { completeAction } from '../../usecases/complete-action.ts';
import { type PayDeps, type PayResult, pay } from '../../usecases/pay.ts';
import { type HttpReply, type HttpRequest, json, type Route } from '../route.ts';
import { cancelUrl, isNavigation, ownPath, returnUrl } from './destinations.ts';
import type { FormCheck } from './form-origin.ts';
import { attemptTokens, readForm } from './forms.ts';
import { pageReply, redirect } from './page-reply.ts';
import { chooseLanguage } from './pages/choose-language.ts';
import {
  type DeclineReason,
  declineReasons,
  type Frame,
  type OnwardView,
  type Order,
  type PayProblem,
  type View,
} from './views.ts';

export interface CheckoutDeps extends PayDeps {
  readonly publicUrl: string;
  readonly isOwnForm: FormCheck;
}

/** A payment as its page needs it. */
interface Found extends Payment {
  readonly merchant: MerchantLook;
}

type Leave = (view: OnwardView) => HttpReply;

export function checkoutRoutes(deps: CheckoutDeps): Route[] {
  const { store, moment, publicUrl, isOwnForm } = deps;
  const tokens = attemptTokens(deps.secretBox);
  const https = publicUrl.startsWith('https:');

  const find = (sessionId: string): Promise<Found | null> =>
    isId('cs', sessionId) ? store.checkout(sessionId) : Promise.resolve(null);
  const show = (view: View, status = 200): HttpReply => pageReply(view, { status, https });
  const notFound = (request: HttpRequest): HttpReply =>
    show({ page: 'not_found', language: chooseLanguage('auto', request.headers['accept-language']).language }, 404);
  /**
   * After a form: to the payment as it stands. Browsers get there on a page of our own, see `pages/onward.ts`; programs,
   * which have no such rule, at the session's address, which redirects.
   */
  const afterForm = (request: HttpRequest, sessionId: string): HttpReply =>
    redirect(`/checkout/${sessionId}${isNavigation(request) ? '/next' : ''}`);

  function payPage(
    request: HttpRequest,
    found: Found,
    kept: { problem: PayProblem | null; chosen?: PaymentMethodType | undefined; name?: string },
  ): HttpReply {
    const { session, intent } = found;
    const at = moment();
    const [first = 'card'] = session.paymentMethodTypes;
    const view: View = {
      ...frameOf(request, found),
      page: 'pay',
      order: orderOf(found),
      action: `/checkout/${session.id}/pay`,
      attempt: tokens.issue(session.id, at),
      methods: session.paymentMethodTypes,
      chosen: kept.chosen ?? intent.paymentMethod?.type ?? first,
      name: kept.name ?? '',
      email: session.customerEmail,
      problem: kept.problem,
      cancelUrl: cancelUrl(session),
      secondsLeft: Math.max(0, Math.ceil((session.expiresAt - at.now) / 1000)),
      pageUrl: `/checkout/${session.id}`,
    };
    return show(view);
  }

  /** What the customer sees of a payment, as it stands. `leave` leads to another site. */
  async function stateOf(request: HttpRequest, found: Found, leave: Leave): Promise<HttpReply> {
    const { intent, session } = found;
    const frame = frameOf(request, found);
    if (session.status === 'completed') return afterPayment(frame, found, leave);
    if (intent.status === 'canceled') return show({ ...frame, page: 'cancelled', cancelUrl: cancelUrl(session) }, 410);
    if (intent.status === 'processing') {
      const statusUrl = `/checkout/${session.id}/status`;
      return show({ ...frame, page: 'processing', order: orderOf(found), statusUrl });
    }
    if (!isOpen(session, moment().now)) return show({ ...frame, page: 'expired', cancelUrl: cancelUrl(session) }, 410);
    if (intent.status === 'requires_action') {
      const operation = intent.operationId === null ? null : await store.operation(intent.operationId);
      if (operation?.actionUrl != null) return toAction(frame, operation.actionUrl, leave);
    }
    return payPage(request, found, { problem: declinedBefore(found) });
  }

  function toAction(frame: Frame, url: string, leave: Leave): HttpReply {
    const path = ownPath(url, publicUrl);
    return path === null ? leave({ ...frame, page: 'onward', because: 'action', url }) : redirect(path);
  }

  function afterPayment(frame: Frame, found: Found, leave: Leave): HttpReply {
    const { intent, session } = found;
    const settled = intent.status === 'succeeded' || intent.status === 'requires_capture';
    const url = returnUrl(session);
    if (url !== null) {
      const because = settled ? 'paid' : intent.status === 'processing' ? 'pending' : 'unpaid';
      return leave({ ...frame, page: 'onward', because, url });
    }
    if (intent.status === 'canceled') return show({ ...frame, page: 'cancelled', cancelUrl: cancelUrl(session) }, 410);
    const { type, card } = intent.paymentMethod ?? {};
    return show({
      ...frame,
      page: 'receipt',
      order: orderOf(found),
      settled,
      paidAt: session.completedAt ?? moment().now,
      reference: intent.id,
      method: type === undefined ? null : { type, ...(card ? { cardBrand: card.brand, cardLast4: card.last4 } : {}) },
    });
  }

  async function submit(request: HttpRequest, found: Found): Promise<HttpReply> {
    const ownForm = isOwnForm(request.headers);
    const form = ownForm ? await readForm(request) : null;
    const { session } = found;
    const operationId = form && tokens.read(session.id, form.get('attempt') ?? '');
    const asked = form?.get('method') ?? '';
    const method = isPaymentMethodType(asked) ? asked : null;
    const name = form?.get('name') ?? '';
    const again = (problem: PayProblem, current: Found = found): HttpReply =>
      payPage(request, current, { problem, chosen: method ?? undefined, name });
    if (!ownForm) return again({ kind: 'sent_from_elsewhere' });
    if (form === null || operationId === null || method === null) return again({ kind: 'form_expired' });
    const field = (key: string): string => form.get(key) ?? '';
    const typed = { number: field('number'), expiry: field('expiry'), cvc: field('cvc'), name };
    const card = method === 'card' ? readCard(typed, moment().now) : undefined;
    if (card !== undefined && 'problems' in card) return again({ kind: 'invalid', fields: card.problems });
    const result = await pay(deps, session, {
      sessionId: session.id,
      operationId,
      amount: Number(field('amount')),
      method,
      ...(card === undefined ? {} : { card }),
      address: clientNetwork(request.ip),
      returnUrl: `${publicUrl}/checkout/${session.id}/return`,
    });
    return replyTo(result, request, session.id, again);
  }

  async function replyTo(
    result: PayResult,
    request: HttpRequest,
    sessionId: string,
    again: (problem: PayProblem, current: Found) => HttpReply,
  ): Promise<HttpReply> {
    if (result.kind === 'action') return isNavigation(request) ? afterForm(request, sessionId) : redirect(result.url);
    const found = await find(sessionId);
    if (found === null) return notFound(request);
    switch (result.kind) {
      case 'amount_changed':
      case 'too_many_attempts':
        return again({ kind: result.kind }, found);
      case 'slow_down':
        return again({ kind: 'slow_down', seconds: result.seconds }, found);
      case 'not_served':
        return again({ kind: 'declined', reason: 'processing_error' }, found);
      case 'method_not_offered':
        return again({ kind: 'form_expired' }, found);
      default: {
        const payable = found.intent.status === 'requires_payment_method' && isOpen(found.session, moment().now);
        const problem = result.kind === 'form_used' ? ({ kind: 'form_expired' } as const) : declinedBefore(found);
        return payable && problem !== null ? again(problem, found) : afterForm(request, sessionId);
      }
    }
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
      handle: withSession((request, found) => stateOf(request, found, ({ url }) => redirect(url))),
    },
    {
      method: 'GET',
      path: '/checkout/:id/next',
      handle: withSession((request, found) => stateOf(request, found, show)),
    },
    {
      method: 'POST',
      path: '/checkout/:id/pay',
      fault: fault(true),
      handle: withSession((request, found) =>
        isOpen(found.session, moment().now) ? submit(request, found) : afterForm(request, found.session.id),
      ),
    },
    {
      method: 'GET',
      path: '/checkout/:id/return',
      fault: fault(true),
      handle: withSession(async (request, { intent, session }) => {
        if (intent.operationId !== null) await completeAction(deps, intent.operationId);
        return afterForm(request, session.id);
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
          payable: intent.status === 'requires_payment_method' && isOpen(session, moment().now),
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

function declinedBefore({ intent }: Found): PayProblem | null {
  if (intent.lastPaymentError === null) return null;
  const { code, decline_code: declineCode = code } = intent.lastPaymentError;
  const reason: DeclineReason = declineReasons.find((known) => known === declineCode) ?? 'generic_decline';
  return { kind: 'declined', reason };
}
