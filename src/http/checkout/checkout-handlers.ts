// The customer's pages and forms, wherever they are shown: see `checkout-place.ts`.

import { readCard } from '../../domain/card.ts';
import { type CheckoutSession, isOpen } from '../../domain/checkout-session.ts';
import { clientNetwork } from '../../domain/client-network.ts';
import { errorCodes } from '../../domain/errors.ts';
import { isId } from '../../domain/ids.ts';
import { lateMoneyOf } from '../../domain/late-money.ts';
import type { Payment } from '../../domain/life-cycle.ts';
import { usesLeft } from '../../domain/link-use.ts';
import { isPaymentMethodType, type PaymentMethodType } from '../../domain/payment-methods.ts';
import { serverOf } from '../../domain/serving-account.ts';
import { safeWebUrl } from '../../domain/web-url.ts';
import type { CompleteReturnedAction } from '../../usecases/complete-returned-action.ts';
import { type PayDeps, type PayResult, pay } from '../../usecases/pay.ts';
import { type HttpReply, type HttpRequest, json, type Route } from '../route.ts';
import { cardEntryOf } from './card-entry.ts';
import type { CheckoutPlace, Found, Leave } from './checkout-place.ts';
import { isNavigation, ownPath } from './destinations.ts';
import { detailsForm, readDetails, typedDetails } from './details-form.ts';
import type { FormCheck } from './form-origin.ts';
import { attemptTokens, readForm } from './forms.ts';
import { type KeptFields, nothingKept } from './kept-fields.ts';
import type { PageOpenings } from './page-openings.ts';
import { redirect } from './page-reply.ts';
import { chooseLanguage } from './pages/choose-language.ts';
import { problemIn, problemQuery, type UnstoredProblem } from './problem-query.ts';
import { receiptAmounts, receiptOutcome, redirectReason } from './receipt.ts';
import { unavailableMethods } from './unavailable-methods.ts';
import { type DeclineReason, declineReasons, type Frame, type Order, type PayProblem, type View } from './views.ts';

/** In the query of the status: the page is shown to a customer who returned too early. */
const returnedEarly = 'returned';

/** The newest operations of a payment: those that return late money are among them. */
const maxOperations = 100;

export interface CheckoutDeps extends PayDeps {
  readonly publicUrl: string;
  readonly isOwnForm: FormCheck;
  readonly openings: PageOpenings;
  readonly completeReturnedAction: CompleteReturnedAction;
}

/** One handler for each page and form of a session. */
export interface CheckoutHandlers {
  /** Customers who are sent to another site are redirected at once. */
  readonly page: Route['handle'];
  /** The same, by a page of our own. */
  readonly next: Route['handle'];
  readonly pay: Route['handle'];
  /** After the customer confirmed the payment elsewhere. */
  readonly returned: Route['handle'];
  readonly status: Route['handle'];
  /** `paying`: the customer may have been charged before the failure. */
  fault(paying: boolean): NonNullable<Route['fault']>;
  withSession(handle: (request: HttpRequest, found: Found) => HttpReply | Promise<HttpReply>): Route['handle'];
}

export function checkoutHandlers(deps: CheckoutDeps, place: CheckoutPlace): CheckoutHandlers {
  const { store, moment, publicUrl, isOwnForm, acquirers, openings } = deps;
  const { fields, show } = place;
  const tokens = attemptTokens(deps.secretBox);
  const secondsLeft = ({ session }: Payment): number =>
    Math.max(0, Math.ceil((session.expiresAt - moment().now) / 1000));

  const find = (sessionId: string): Promise<Found | null> =>
    isId('cs', sessionId) ? store.findBy('checkouts', 'id', sessionId) : Promise.resolve(null);
  const notFound = (request: HttpRequest): HttpReply =>
    show({ page: 'not_found', language: chooseLanguage('auto', request.headers['accept-language']).language }, 404);
  /**
   * Redirects to the current state of the payment after a form. Browsers get a page of our own, see
   * `pages/redirecting.ts`; programs, to which form-action does not apply, get the session's URL, which redirects.
   */
  const redirectAfterForm = (request: HttpRequest, sessionId: string): HttpReply =>
    redirect(isNavigation(request) ? place.path(sessionId, 'next') : place.page(sessionId));

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
    return redirect(`${place.page(id)}${problem === null ? '' : problemQuery(problem)}`);
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
    if (problem?.kind === 'too_many_declines') unavailable.set('card', 'too_many_declines');
    const failed = problem?.kind === 'method_unavailable' ? problem.method : null;
    const view: View = {
      ...frame,
      page: 'pay',
      order: orderOf(found),
      action: place.path(session.id, 'pay'),
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
      details: detailsForm(session, kept.details),
      problem: problem ?? lastDecline(found),
      cancelUrl: place.cancelUrl(session),
      secondsLeft: secondsLeft(found),
      pageUrl: place.page(session.id),
    };
    return show(view);
  }

  /** The page for the current state of a payment. `leave` sends the customer to another site. */
  async function currentPage(request: HttpRequest, found: Found, leave: Leave): Promise<HttpReply> {
    const { intent, session } = found;
    const frame = frameOf(request, found);
    if (session.status === 'completed')
      return fields.forget(await afterPayment(frame, found, leave), request, session.id);
    if (intent.status === 'canceled') return endedPage(frame, found, 'cancelled');
    if (intent.status === 'processing' || isBeingClosed(found)) {
      const statusUrl = place.path(session.id, 'status');
      return show({ ...frame, page: 'processing', order: orderOf(found), statusUrl, continueUrl: null });
    }
    if (!isOpen(session, moment().now)) return endedPage(frame, found, 'expired');
    const actionUrl = await actionUrlOf(intent);
    if (actionUrl !== null) return place.act({ found, frame, url: actionUrl, leave });
    const problem = problemIn(request.query) ?? ((await isLinkUsedUp(session)) ? { kind: 'link_used_up' } : null);
    return payPage(found, { frame, problem, kept: fields.read(request, session.id) });
  }

  /**
   * The time is up, and the acquirer has not said yet whether the customer has paid: the job that expires sessions asks. It
   * may have been paid, so customers wait for the answer, and do not pay again.
   */
  const isBeingClosed = ({ intent, session }: Payment): boolean =>
    intent.status === 'requires_action' && session.status === 'open' && !isOpen(session, moment().now);

  /** The payment has ended unpaid. Money for it may have arrived too late. */
  async function endedPage(
    frame: Frame,
    { intent, session }: Found,
    page: 'expired' | 'cancelled',
  ): Promise<HttpReply> {
    const ofPayment = { scope: intent, where: { paymentIntentId: intent.id }, limit: maxOperations };
    // Without an attempt there is nothing to look for.
    const operations = intent.operationId === null ? [] : await store.list('operations', ofPayment);
    const lateMoney = lateMoneyOf(intent, operations);
    return show({ ...frame, page, lateMoney, cancelUrl: place.cancelUrl(session) }, 410);
  }

  /** Where the customer confirms the payment; null: nowhere. */
  async function actionUrlOf({ status, operationId }: Payment['intent']): Promise<string | null> {
    if (status !== 'requires_action' || operationId === null) return null;
    return (await store.findBy('operations', 'id', operationId))?.actionUrl ?? null;
  }

  /**
   * For customers who return while the provider still waits for them, or does not know the outcome yet: sending them back
   * at once would never end. Null: they are sent on as usual.
   */
  async function unconfirmedPage(request: HttpRequest, found: Found): Promise<HttpReply | null> {
    const { intent, session } = found;
    if (!place.waitsAfterReturn || !isNavigation(request) || !isOpen(session, moment().now)) return null;
    const actionUrl = await actionUrlOf(intent);
    const continueUrl = actionUrl === null || ownPath(actionUrl, publicUrl) !== null ? null : safeWebUrl(actionUrl);
    if (continueUrl === null) return null;
    const statusUrl = `${place.path(session.id, 'status')}?${returnedEarly}`;
    return show({ ...frameOf(request, found), page: 'processing', order: orderOf(found), statusUrl, continueUrl });
  }

  /** Told before the customer types anything; the payment itself is refused too. */
  async function isLinkUsedUp(session: CheckoutSession): Promise<boolean> {
    if (session.paymentLinkId === null) return false;
    const link = await store.find('paymentLinks', session, session.paymentLinkId);
    return link !== null && usesLeft(link) <= 0;
  }

  async function afterPayment(frame: Frame, found: Found, leave: Leave): Promise<HttpReply> {
    const { intent, session } = found;
    const outcome = receiptOutcome(intent);
    const url = place.returnUrl(session);
    // Shops thank customers who return, so we report a failed payment on our own page first.
    if (url !== null && outcome !== 'failed') {
      return leave({ ...frame, page: 'redirecting', reason: redirectReason(intent), url });
    }
    if (intent.status === 'canceled') return endedPage(frame, found, 'cancelled');
    const { type, card } = intent.paymentMethod ?? {};
    return show({
      ...frame,
      page: 'receipt',
      order: orderOf(found),
      outcome,
      amounts: receiptAmounts(intent),
      shopUrl: place.cancelUrl(session) ?? url,
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
    const kept = {
      method: isPaymentMethodType(requested) ? requested : null,
      name: form?.get('name') ?? '',
      details: typedDetails(found.session, form),
    };
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
    const customerDetails = readDetails(session, kept.details);
    const isCardBad = card !== undefined && 'problems' in card;
    const areDetailsBad = customerDetails !== undefined && 'problems' in customerDetails;
    if (isCardBad || areDetailsBad) {
      const fields = { ...(isCardBad && card.problems), ...(areDetailsBad && customerDetails.problems) };
      return showFormAgain(request, found, { problem: { kind: 'invalid', fields }, kept });
    }
    const result = await pay(deps, found, {
      sessionId: session.id,
      operationId,
      amount: Number(field('amount')),
      method,
      ...(customerDetails === undefined ? {} : { customerDetails }),
      ...(card === undefined ? {} : { card }),
      ...(cardToken === undefined ? {} : { cardToken }),
      address: clientNetwork(request.ip),
      returnUrl: `${publicUrl}${place.path(session.id, 'return')}`,
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

  const withSession: CheckoutHandlers['withSession'] = (handle) => async (request) => {
    const found = await find(request.id);
    const refused = place.refuse(request, found);
    if (refused !== null && refused !== 'not_found') return refused;
    return found === null || refused === 'not_found' ? notFound(request) : handle(request, found);
  };

  const fault =
    (paying: boolean): NonNullable<Route['fault']> =>
    ({ requestId, id, headers }, { refused }) => {
      const { language } = chooseLanguage('auto', headers['accept-language']);
      const link = isId('cs', id) ? { pageUrl: place.page(id) } : {};
      return show({ page: 'fault', language, requestId, paying, ...link }, errorCodes[refused].status);
    };
  return {
    page: withSession((request, found) => {
      // A HEAD request shows nobody anything.
      if (request.method !== 'HEAD') openings.opened(found.session, moment().now);
      return currentPage(request, found, ({ url }) => redirect(url));
    }),
    next: withSession((request, found) => currentPage(request, found, show)),
    pay: withSession((request, found) =>
      isOpen(found.session, moment().now) ? submit(request, found) : redirectAfterForm(request, found.session.id),
    ),
    returned: withSession(async (request, { intent, session }) => {
      if (intent.operationId !== null) await deps.completeReturnedAction(intent.operationId, { intent, session });
      const after = await find(session.id);
      const unconfirmed = after === null ? null : await unconfirmedPage(request, after);
      if (unconfirmed !== null) return unconfirmed;
      return after !== null && payable(after)
        ? redirect(place.page(session.id))
        : redirectAfterForm(request, session.id);
    }),
    status: withSession(({ query }, { intent, session }) => {
      const isEarly = intent.status === 'requires_action' && query.has(returnedEarly);
      const payment = { intent, session };
      const waits = intent.status === 'processing' || isEarly || isBeingClosed(payment);
      const done = !waits || session.status !== 'open';
      const ended = !isOpen(session, moment().now);
      const state = { done, payable: payable(payment), ended, seconds_left: secondsLeft(payment) };
      const body = { ...state, amount: intent.amount, location: place.page(session.id) };
      return { status: 200, headers: { 'Content-Type': json }, body: JSON.stringify(body) };
    }),
    fault,
    withSession,
  };
}

export function frameOf(request: HttpRequest, { session, merchant }: Found): Frame {
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
    case 'too_many_declines':
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
