// The sandbox's own pages: the 3DS challenge and the test bank. They simulate a third party, so they know nothing about
// sessions, only what the acquirer received when the payment began: the reference, the merchant, the language and the
// return URL.

import type { SandboxPayment } from '../../acquirers/sandbox/sandbox-payment.ts';
import { isId } from '../../domain/ids.ts';
import type { MerchantLook } from '../../domain/merchant.ts';
import { methodSettlesLater } from '../../domain/payment-methods.ts';
import type { HttpReply, HttpRequest, Route } from '../route.ts';
import { ownPath } from './destinations.ts';
import type { FormCheck } from './form-origin.ts';
import { readForm } from './forms.ts';
import { pageReply, redirect } from './page-reply.ts';
import { chooseLanguage } from './pages/choose-language.ts';
import type { Choice } from './pages/notice.ts';
import type { View } from './views.ts';

const results: readonly Choice['result'][] = ['pass', 'fail', 'fail_later', 'cancel'];
/** For payments that an earlier version began. */
const unknownMerchant: MerchantLook = { name: 'Paydesk Sandbox', logoUrl: null, accentColor: null };

type Kind = 'challenge' | 'bank';

/** What the pages need from the sandbox. */
export interface TestBank {
  payment(reference: string): Promise<SandboxPayment | null>;
  act(reference: string, result: Choice['result']): Promise<SandboxPayment | null>;
}

export interface SandboxPagesDeps {
  readonly publicUrl: string;
  readonly isOwnForm: FormCheck;
  /** Whether a reference belongs to test mode. Others have no page. */
  readonly isTestPayment: (reference: string) => Promise<boolean>;
}

export function sandboxRoutes(sandbox: TestBank, { publicUrl, isOwnForm, isTestPayment }: SandboxPagesDeps): Route[] {
  const https = publicUrl.startsWith('https:');

  async function find(kind: Kind, request: HttpRequest): Promise<SandboxPayment | null> {
    const payment = isId('op', request.id) ? await sandbox.payment(request.id) : null;
    return payment?.action === kind && (await isTestPayment(payment.id)) ? payment : null;
  }
  function notFound(request: HttpRequest): HttpReply {
    const { language } = chooseLanguage('auto', request.headers['accept-language']);
    return pageReply({ page: 'not_found', language }, { status: 404, https });
  }
  /** Like a bank's, the challenge can be shown in any frame if the checkout is embedded. */
  function framedBy(kind: Kind, { returnUrl }: SandboxPayment): readonly string[] {
    const isEmbedded = ownPath(returnUrl, publicUrl)?.startsWith('/embed/') === true;
    return kind === 'challenge' && isEmbedded ? ['*'] : [];
  }
  function back({ returnUrl }: SandboxPayment): HttpReply {
    return redirect(ownPath(returnUrl, publicUrl) ?? returnUrl);
  }
  function show(kind: Kind): Route['handle'] {
    return async (request) => {
      const payment = await find(kind, request);
      if (payment === null) return notFound(request);
      if (payment.actionStatus !== 'waiting') return back(payment);
      return pageReply(viewOf(kind, payment, request), { https, framedBy: framedBy(kind, payment) });
    };
  }
  function choose(kind: Kind): Route['handle'] {
    return async (request) => {
      const payment = await find(kind, request);
      const form = isOwnForm(request.headers) ? await readForm(request) : null;
      const result = results.find((known) => known === form?.get('result'));
      if (payment === null) return notFound(request);
      if (result === undefined) return redirect(request.path);
      await sandbox.act(payment.id, result);
      return back(payment);
    };
  }
  return (['challenge', 'bank'] as const).flatMap((kind) => [
    { method: 'GET', path: `/sandbox-${kind}/:id`, handle: show(kind) },
    { method: 'POST', path: `/sandbox-${kind}/:id`, handle: choose(kind) },
  ]);
}

function viewOf(kind: Kind, payment: SandboxPayment, request: HttpRequest): View {
  const shared = {
    ...chooseLanguage(payment.locale, request.headers['accept-language']),
    testMode: true,
    merchant: payment.merchant ?? unknownMerchant,
    order: { amount: payment.amount, currency: payment.currency, description: null, lineItems: null },
    action: request.path,
  };
  if (kind === 'challenge') return { ...shared, page: 'challenge', cardLast4: payment.cardLast4 ?? '' };
  return { ...shared, page: 'bank', method: payment.method, settlesLater: methodSettlesLater(payment.method) };
}
