// Checkout sessions and payment links, with their QR codes, and disputes.

import type { Refusal } from '../../domain/errors.ts';
import type { Store } from '../../storage/store.ts';
import { paymentLinkNotFound, sessionNotFound } from '../../usecases/refusals.ts';
import type { createBody, sessionSchema } from '../api/checkout-session-schema.ts';
import type { disputeSchema } from '../api/disputes.ts';
import { type createLinkBody, type linkSchema, linkUrl, type patchLinkBody } from '../api/payment-link-schema.ts';
import { qrCodeSvg } from '../checkout/qr-code.ts';
import type { Static } from '../schema.ts';
import type { Mount } from './mounted.ts';
import { type DashboardResponse, type DashboardRoute, dashboardRoute } from './route.ts';

export type CheckoutSessionBody = Static<typeof sessionSchema>;
export type NewCheckoutSession = Static<typeof createBody>;
export type PaymentLinkBody = Static<typeof linkSchema>;
export type NewPaymentLink = Static<typeof createLinkBody>;
export type PaymentLinkPatch = Static<typeof patchLinkBody>;
export type DisputeBody = Static<typeof disputeSchema>;

export interface SessionsAndLinksDeps {
  readonly store: Store;
  readonly publicUrl: string;
}

export function sessionAndLinkRoutes({ store, publicUrl }: SessionsAndLinksDeps, mount: Mount): DashboardRoute[] {
  const shown = ['amount', 'currency'];
  return [
    mount('listCheckoutSessions', { may: 'read' }),
    mount('createCheckoutSession', { may: 'operate', audit: 'checkout_session.created', shows: shown }),
    mount('getCheckoutSession', { may: 'read' }),
    mount('expireCheckoutSession', { may: 'operate', audit: 'checkout_session.expired' }),
    dashboardRoute({
      method: 'GET',
      path: '/checkout-sessions/:id/qr.svg',
      may: 'read',
      id: { prefix: 'cs', notFound: sessionNotFound },
      handle: async ({ staff, id }) => {
        const session = await store.find('checkoutSessions', staff, id);
        // An embedded session has no page of its own.
        const hosted = session?.uiMode === 'hosted' ? session : null;
        return qrCode(hosted, `${publicUrl}/checkout/${id}`, sessionNotFound(id));
      },
    }),
    mount('listPaymentLinks', { may: 'read' }),
    mount('createPaymentLink', { may: 'operate', audit: 'payment_link.created', shows: shown }),
    mount('getPaymentLink', { may: 'read' }),
    mount('updatePaymentLink', { may: 'operate', audit: 'payment_link.updated', shows: ['active', 'max_uses'] }),
    dashboardRoute({
      method: 'GET',
      path: '/payment-links/:id/qr.svg',
      may: 'read',
      id: { prefix: 'plink', notFound: paymentLinkNotFound },
      handle: async ({ staff, id }) => {
        const link = await store.find('paymentLinks', staff, id);
        return qrCode(link, linkUrl(publicUrl, id), paymentLinkNotFound(id));
      },
    }),
    mount('listDisputes', { may: 'read' }),
    mount('getDispute', { may: 'read' }),
  ];
}

/** As an image of its own, which a page can show, print or save. */
function qrCode(found: object | null, url: string, notFound: Refusal): DashboardResponse | Refusal {
  if (found === null) return notFound;
  return { status: 200, body: null, json: qrCodeSvg(url), mediaType: 'image/svg+xml' };
}
