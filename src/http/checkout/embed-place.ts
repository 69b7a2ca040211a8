// The pages of a checkout in a frame of the shop's page. Every request carries the client secret, there are no cookies,
// and customers stay in the frame: a script shows each page in place, and reads from a header which state it is about.

import { refuse } from '../../domain/errors.ts';
import type { SecretBox } from '../../domain/secret-box.ts';
import { safeWebUrl } from '../../domain/web-url.ts';
import { hasClientSecret, wrongClientSecret } from '../client-secret.ts';
import { errorReply } from '../error-reply.ts';
import type { HttpReply } from '../route.ts';
import { cardEntryOf } from './card-entry.ts';
import type { CheckoutDeps } from './checkout-handlers.ts';
import type { CheckoutPlace, Found } from './checkout-place.ts';
import { ownPath } from './destinations.ts';
import { type FieldKeeper, nothingKept } from './kept-fields.ts';
import { pageReply, renderedReply } from './page-reply.ts';
import { embedAction } from './pages/embed.ts';
import type { View } from './views.ts';

/** What the script does after a page is shown: see `pages/scripts/embed.js`. */
type State = 'open' | 'processing' | 'dialog' | 'top' | 'paid' | 'pending' | 'failed' | 'expired' | 'fault';

const notEmbedded = refuse(
  'checkout_session_not_found',
  'This checkout session is hosted. To embed it, create it with `ui_mode: "embedded"`.',
);

/** Nothing: the script keeps what was typed. */
const noKeeper: FieldKeeper = { read: () => nothingKept, keep: (reply) => reply, forget: (reply) => reply };

type EmbedDeps = Pick<CheckoutDeps, 'acquirers' | 'publicUrl'> & { readonly secretBox: Pick<SecretBox, 'derive'> };

export function embedPlace({ acquirers, publicUrl, secretBox }: EmbedDeps): CheckoutPlace {
  const https = publicUrl.startsWith('https:');

  /** 3DS is shown in a dialog, as far as the frame's policy allows it; everything else needs the whole page. */
  async function opensInDialog(found: Found, url: string): Promise<boolean> {
    const path = ownPath(url, publicUrl);
    if (path !== null) return path.startsWith('/sandbox-challenge/');
    if (found.intent.paymentMethod?.type !== 'card') return false;
    const entry = await cardEntryOf(acquirers, found, found.merchant);
    return typeof entry === 'object' && entry.sources.frame.some((source) => matches(source, url));
  }

  return {
    refuse(request, payment) {
      if (payment === null || !hasClientSecret(secretBox, request, payment))
        return errorReply(wrongClientSecret, request.requestId);
      return payment.session.uiMode === 'hosted' ? errorReply(notEmbedded, request.requestId) : null;
    },
    page: (id) => `/embed/${id}/page`,
    path: (id, step) => `/embed/${id}/${step}`,
    fields: noKeeper,
    waitsAfterReturn: false,
    returnUrl: () => null,
    cancelUrl: () => null,
    // What the script shows is no failed request: browsers would report it in the console of the shop's page.
    show: (view, status = 200) =>
      withState(pageReply(view, { status: status < 500 ? 200 : status, https }), stateOf(view)),
    async act({ found, frame, url }) {
      const address = ownPath(url, publicUrl) ?? safeWebUrl(url);
      if (address === null) throw new Error('customers cannot be sent to this address');
      const page = embedAction({ ...frame, url: address });
      const state = (await opensInDialog(found, url)) ? 'dialog' : 'top';
      return withState(renderedReply(page, frame.merchant.logoUrl, { https }), state);
    },
  };
}

function stateOf(view: View): State {
  switch (view.page) {
    case 'pay':
      return 'open';
    case 'processing':
      return 'processing';
    case 'receipt':
      return view.outcome === 'authorised' || view.outcome === 'refunded' ? 'paid' : view.outcome;
    case 'expired':
    case 'cancelled':
      return 'expired';
    default:
      return 'fault';
  }
}

function withState(reply: HttpReply, state: State): HttpReply {
  return { ...reply, headers: { ...reply.headers, 'Paydesk-State': state } };
}

/** Sources are origins, perhaps of all subdomains: `https://*.js.stripe.com`. */
function matches(source: string, url: string): boolean {
  const { origin } = new URL(url);
  const [scheme = '', host = ''] = source.split('*.');
  return host === '' ? origin === source : origin.startsWith(scheme) && origin.endsWith(`.${host}`);
}
