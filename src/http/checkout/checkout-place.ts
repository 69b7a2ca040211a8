// Where the pages of a checkout are: on their own, or in a frame of the shop's page. Both show the same pages for the same
// states of a payment; this is all that differs.

import type { CheckoutSession } from '../../domain/checkout-session.ts';
import type { Payment } from '../../domain/life-cycle.ts';
import type { Merchant } from '../../domain/merchant.ts';
import type { SecretBox } from '../../domain/secret-box.ts';
import type { HttpReply, HttpRequest } from '../route.ts';
import { cancelUrl, ownPath, returnUrl } from './destinations.ts';
import { type FieldKeeper, fieldKeeper } from './kept-fields.ts';
import { pageReply, redirect } from './page-reply.ts';
import type { Frame, RedirectingView, View } from './views.ts';

/** A payment with what its page needs. */
export interface Found extends Payment {
  readonly merchant: Merchant;
}

/** Sends the customer to another site. */
export type Leave = (view: RedirectingView) => HttpReply;

export interface Action {
  readonly found: Found;
  readonly frame: Frame;
  /** Where the payment is confirmed. */
  readonly url: string;
  readonly leave: Leave;
}

export interface CheckoutPlace {
  /** Null: the request may use this session, or learn that there is none. `not_found`: it is told that there is none. */
  refuse(request: HttpRequest, payment: Payment | null): HttpReply | 'not_found' | null;
  /** The path of the page that shows the form. */
  page(sessionId: string): string;
  path(sessionId: string, step: 'next' | 'pay' | 'return' | 'status'): string;
  /** Remembers what the customer has entered. */
  readonly fields: FieldKeeper;
  /** Whether customers who return too early wait on a page of their own. In a frame they are asked to continue. */
  readonly waitsAfterReturn: boolean;
  /** Where customers go when they are done; null: they stay. */
  returnUrl(session: CheckoutSession): string | null;
  /** Where customers go instead of paying; null: they stay. */
  cancelUrl(session: CheckoutSession): string | null;
  show(view: View, status?: number): HttpReply;
  /** Sends the customer to where the payment is confirmed. */
  act(action: Action): HttpReply | Promise<HttpReply>;
}

/** The pages on their own. */
export function hostedPlace({ publicUrl, secretBox }: { publicUrl: string; secretBox: SecretBox }): CheckoutPlace {
  const https = publicUrl.startsWith('https:');
  return {
    // An embedded session is opened by its client secret alone: here, its id would be enough.
    refuse: (_request, payment) => (payment?.session.uiMode === 'embedded' ? 'not_found' : null),
    page: (id) => `/checkout/${id}`,
    path: (id, step) => `/checkout/${id}/${step}`,
    fields: fieldKeeper(secretBox, https),
    waitsAfterReturn: true,
    returnUrl,
    cancelUrl,
    show: (view, status = 200) => pageReply(view, { status, https }),
    act({ frame, url, leave }) {
      const path = ownPath(url, publicUrl);
      return path === null ? leave({ ...frame, page: 'redirecting', reason: 'action', url }) : redirect(path);
    },
  };
}
