// The public page of a payment link. Opening it writes nothing; continuing creates a checkout session, and the customer
// pays on its page.

import { isOpen } from '../../domain/checkout-session.ts';
import { errorCodes, isRefusal, type Refusal } from '../../domain/errors.ts';
import { isId } from '../../domain/ids.ts';
import type { Payment } from '../../domain/life-cycle.ts';
import { usesLeft } from '../../domain/link-use.ts';
import type { Merchant } from '../../domain/merchant.ts';
import { amountLimits, type PaymentLink, statusAt } from '../../domain/payment-link.ts';
import { maxTypedLength, readTypedAmount } from '../../domain/typed-amount.ts';
import { findLinkCheckout, type LinkCheckoutDeps, startLinkCheckout } from '../../usecases/start-link-checkout.ts';
import { updateCheckoutSession } from '../../usecases/update-checkout-session.ts';
import type { HttpReply, HttpRequest, Route } from '../route.ts';
import { isNavigation } from './destinations.ts';
import type { FormCheck } from './form-origin.ts';
import { readForm } from './forms.ts';
import type { LinkStartGate } from './link-starts.ts';
import type { LinkVisitors } from './link-visitors.ts';
import { pageReply, redirect } from './page-reply.ts';
import { chooseLanguage } from './pages/choose-language.ts';
import { editableAmount } from './pages/money-format.ts';
import { qrCodeSvg } from './qr-code.ts';
import type { AmountEntry, Frame, LinkEndedView, View } from './views.ts';

export interface LinkRouteDeps extends LinkCheckoutDeps {
  readonly publicUrl: string;
  readonly isOwnForm: FormCheck;
  readonly visitors: LinkVisitors;
  readonly mayStart: LinkStartGate;
}

interface Found {
  readonly link: PaymentLink;
  readonly merchant: Merchant;
}

type AmountProblem = NonNullable<AmountEntry['problem']>;

export function linkRoutes(deps: LinkRouteDeps): Route[] {
  const { store, moment, visitors } = deps;
  const https = deps.publicUrl.startsWith('https:');
  const show = (view: View, status = 200): HttpReply => pageReply(view, { status, https });
  const find = (linkId: string): Promise<Found | null> =>
    isId('plink', linkId) ? store.findBy('linkPages', 'id', linkId) : Promise.resolve(null);

  function ended(request: HttpRequest, found: Found, status: number, why: Pick<LinkEndedView, 'reason' | 'seconds'>) {
    const retry = why.reason === 'too_many' || why.reason === 'sent_from_elsewhere';
    const pageUrl = retry ? { pageUrl: `/pay/${found.link.id}` } : {};
    return show({ ...frameOf(request, found), page: 'link_ended', ...why, ...pageUrl }, status);
  }

  function linkPage(request: HttpRequest, { link, merchant }: Found, visitor: string, entry: AmountEntry | null): View {
    const { amount, currency, description, lineItems } = link;
    return {
      ...frameOf(request, { link, merchant }),
      page: 'link',
      order: { amount, currency, description, lineItems },
      action: `/pay/${link.id}`,
      visitor,
      entry,
    };
  }

  async function open(request: HttpRequest, found: Found): Promise<HttpReply> {
    const { link } = found;
    const at = moment();
    const status = statusAt(link, at.now);
    if (status !== 'active') return ended(request, found, 410, { reason: status });
    const kept = visitors.tokenOf(request);
    const visitId = visitors.visitIn(link.id, kept, at.now);
    const payment = visitId === null ? null : await findLinkCheckout(deps, link, visitId);
    if (usesLeft(link) <= 0) {
      const isTheirs = payment !== null && payment.intent.linkUse !== null;
      return isTheirs ? redirect(`/checkout/${payment.session.id}`) : ended(request, found, 409, { reason: 'taken' });
    }
    const typed = request.query.get('amount') ?? earlierAmount(request, payment);
    const problem = request.query.has('amount') ? problemIn(request, found, typed) : null;
    const entry = link.type === 'open' ? entryOf(link, typed, problem) : null;
    const continues = visitId !== null && (payment === null || isOpen(payment.session, at.now));
    if (continues) return show(linkPage(request, found, kept, entry));
    const visitor = visitors.issue(link.id, at);
    return visitors.remember(show(linkPage(request, found, visitor, entry)), link.id, visitor);
  }

  function problemIn(request: HttpRequest, { link }: Found, typed: string): AmountProblem | null {
    if (request.query.get('problem') === 'refused') return { kind: 'refused' };
    const read = readAmount(request, link, typed);
    return typeof read === 'number' ? null : read;
  }

  async function submit(request: HttpRequest, found: Found): Promise<HttpReply> {
    const { link } = found;
    if (!deps.isOwnForm(request.headers)) return ended(request, found, 403, { reason: 'sent_from_elsewhere' });
    const form = await readForm(request);
    const visitor = form?.get('visitor') ?? '';
    const visitId = visitors.visitIn(link.id, visitor, moment().now);
    const typed = (form?.get('amount') ?? '').slice(0, maxTypedLength + 1);
    // The page has a new form, and keeps what was typed.
    const newForm = redirect(pageAddress(link, link.type === 'open' && typed !== '' ? { amount: typed } : {}));
    if (visitId === null) return newForm;
    const payment = await findLinkCheckout(deps, link, visitId);
    const isPayable = payment?.intent.status === 'requires_payment_method' && payment.session.status === 'open';
    // A paid session shows its receipt; one that expired unpaid makes room for a new one.
    if (payment !== null && !isPayable)
      return payment.session.status === 'expired' ? newForm : redirect(`/checkout/${payment.session.id}`);
    const amount = link.amount ?? readAmount(request, link, typed);
    if (typeof amount !== 'number') return askAgain(request, found, { visitor, typed, problem: amount });
    const outcome =
      payment === null ? await start(request, found, visitId, amount) : await change(found, payment, amount);
    if (outcome === null) return newForm;
    if (!isRefusal(outcome)) return outcome;
    if (outcome.param === 'amount' && link.type === 'open')
      return askAgain(request, found, { visitor, typed, problem: { kind: 'refused' } });
    return ended(request, found, 409, { reason: 'unavailable' });
  }

  /** Creates the session, unless the link has ended or too many were started from this address. */
  async function start(
    request: HttpRequest,
    found: Found,
    visitId: string,
    amount: number,
  ): Promise<HttpReply | Refusal> {
    const { link } = found;
    const status = statusAt(link, moment().now);
    if (status !== 'active') return ended(request, found, 410, { reason: status });
    if (usesLeft(link) <= 0) return ended(request, found, 409, { reason: 'taken' });
    const seconds = await deps.mayStart(link.id, request.ip);
    if (seconds !== null) {
      const reply = ended(request, found, 429, { reason: 'too_many', seconds });
      return { ...reply, headers: { ...reply.headers, 'Retry-After': String(seconds) } };
    }
    const started = await startLinkCheckout(deps, found, {
      ...{ visitId, amount },
      linkUrl: `${deps.publicUrl}/pay/${link.id}`,
    });
    return 'done' in started ? redirect(`/checkout/${started.done.id}`) : started;
  }

  /** The visitor went back: their session stays, with the amount that they entered now. Null: it has ended. */
  async function change(
    { link, merchant }: Found,
    { session }: Payment,
    amount: number,
  ): Promise<HttpReply | Refusal | null> {
    if (session.amount !== amount && link.type === 'open') {
      const changed = await updateCheckoutSession(deps, { ...scopeOf(link), merchant }, session.id, { amount });
      if (isRefusal(changed) && changed.param === 'amount') return changed;
    }
    return isOpen(session, moment().now) ? redirect(`/checkout/${session.id}`) : null;
  }

  /** Browsers are redirected to the page's own URL, which can be reloaded. Programs get the page directly. */
  function askAgain(
    request: HttpRequest,
    found: Found,
    { visitor, typed, problem }: { visitor: string; typed: string; problem: AmountProblem },
  ): HttpReply {
    if (!isNavigation(request))
      return show(linkPage(request, found, visitor, entryOf(found.link, typed, problem)), 422);
    const refused: Record<string, string> = problem.kind === 'refused' ? { problem: 'refused' } : {};
    return redirect(pageAddress(found.link, { amount: typed, ...refused }));
  }

  /** It depends on nothing but the address of the page, so it can be cached. */
  const qrCode = ({ id }: PaymentLink): HttpReply => ({
    status: 200,
    headers: {
      'Content-Type': 'image/svg+xml',
      'Cache-Control': 'public, max-age=86400',
      'Content-Security-Policy': "default-src 'none'",
    },
    body: qrCodeSvg(`${deps.publicUrl}/pay/${id}`),
  });

  const withLink =
    (handle: (request: HttpRequest, found: Found) => HttpReply | Promise<HttpReply>): Route['handle'] =>
    async (request) => {
      const found = await find(request.id);
      if (found !== null) return handle(request, found);
      const { language } = chooseLanguage('auto', request.headers['accept-language']);
      return show({ page: 'not_found', language }, 404);
    };
  const fault: NonNullable<Route['fault']> = ({ requestId, id, headers }, { refused }) => {
    const { language } = chooseLanguage('auto', headers['accept-language']);
    const link = isId('plink', id) ? { pageUrl: `/pay/${id}` } : {};
    return show({ page: 'fault', language, requestId, ...link }, errorCodes[refused].status);
  };
  return [
    { method: 'GET', path: '/pay/:id', handle: withLink(open), fault },
    { method: 'POST', path: '/pay/:id', handle: withLink(submit), fault },
    { method: 'GET', path: '/pay/:id/qr.svg', handle: withLink((_request, { link }) => qrCode(link)), fault },
  ];
}

function frameOf(request: HttpRequest, { link, merchant }: Found): Frame {
  return {
    ...chooseLanguage('auto', request.headers['accept-language']),
    testMode: !link.livemode,
    merchant: { name: merchant.name, logoUrl: merchant.logoUrl, accentColor: merchant.accentColor },
  };
}

const scopeOf = ({ merchantId, livemode }: PaymentLink) => ({ merchantId, livemode });

function pageAddress({ id }: PaymentLink, query: Readonly<Record<string, string>> = {}): string {
  const search = new URLSearchParams(query).toString();
  return `/pay/${id}${search === '' ? '' : `?${search}`}`;
}

function readAmount(request: HttpRequest, link: PaymentLink, typed: string): number | AmountProblem {
  const { locale } = chooseLanguage('auto', request.headers['accept-language']);
  const { minimum, maximum } = amountLimits(link);
  const read = readTypedAmount(typed, { currency: link.currency, locale });
  if ('amount' in read) {
    if (read.amount < minimum) return { kind: 'too_small', limit: minimum };
    return read.amount > maximum ? { kind: 'too_large', limit: maximum } : read.amount;
  }
  if (read.problem === 'ambiguous') return { kind: 'ambiguous', readings: read.readings };
  return read.problem === 'too_large' ? { kind: 'too_large', limit: maximum } : { kind: read.problem };
}

function entryOf(
  { minimumAmount, maximumAmount }: PaymentLink,
  typed: string,
  problem: AmountProblem | null,
): AmountEntry {
  return { typed, problem, minimum: minimumAmount, maximum: maximumAmount };
}

/** What the visitor entered before they went back, as they would type it; empty if they have not continued yet. */
function earlierAmount(request: HttpRequest, payment: Payment | null): string {
  if (payment === null) return '';
  const { locale } = chooseLanguage('auto', request.headers['accept-language']);
  return editableAmount(payment.session.amount, payment.session.currency, locale);
}
