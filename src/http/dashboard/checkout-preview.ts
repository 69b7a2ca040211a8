// The checkout page as customers would see it with other settings, for a frame in the dashboard. It is the real page, without
// its scripts: nothing can be paid with it.

import type { Merchant, MerchantLook } from '../../domain/merchant.ts';
import { methodAllowsCurrency } from '../../domain/payment-methods.ts';
import { readWebUrl, safeOrigin } from '../../domain/web-url.ts';
import { renderPage } from '../checkout/pages/render.ts';
import type { PayView } from '../checkout/views.ts';
import { Type } from '../schema.ts';
import { type DashboardResponse, type DashboardRoute, dashboardRoute } from './route.ts';

const maxLength = 2048;
const shownMethods = 3;
const sampleAmount = 4_900;

const query = Type.Object(
  {
    name: Type.Optional(Type.String({ maxLength })),
    logo_url: Type.Optional(Type.String({ maxLength })),
    accent_color: Type.Optional(Type.String({ maxLength })),
  },
  { additionalProperties: false },
);

export function checkoutPreviewRoutes(): DashboardRoute[] {
  return [
    dashboardRoute({
      method: 'GET',
      path: '/settings/preview',
      may: 'settings',
      query,
      handle: async ({ staff: { merchant, livemode }, query: given }) => {
        const look = {
          name: given.name?.trim() || merchant.name,
          logoUrl: logoFrom(given.logo_url ?? ''),
          accentColor: /^#[0-9a-f]{6}$/i.test(given.accent_color ?? '') ? (given.accent_color ?? null) : null,
        };
        return page(sampleView(merchant, look, livemode));
      },
    }),
  ];
}

/** While an address is being typed, most of what arrives is not one. */
function logoFrom(text: string): string | null {
  const read = readWebUrl(text);
  return 'url' in read && read.url.startsWith('https:') ? read.url : null;
}

function sampleView(merchant: Merchant, look: MerchantLook, livemode: boolean): PayView {
  const currency = merchant.currencies.includes('EUR') ? 'EUR' : (merchant.currencies[0] ?? 'EUR');
  const methods = merchant.paymentMethodTypes
    .filter((type) => methodAllowsCurrency(type, currency))
    .slice(0, shownMethods);
  return {
    page: 'pay',
    language: 'en',
    locale: 'en',
    testMode: !livemode,
    merchant: look,
    order: { amount: sampleAmount, currency, description: 'Order 1001', lineItems: null },
    ...{ action: '', attempt: '', pageUrl: '', name: '', email: null, details: null, problem: null, cancelUrl: null },
    methods: methods.length === 0 ? ['card'] : methods,
    unavailable: new Map(),
    cardEntry: 'own_fields',
    chosen: methods[0] ?? 'card',
    secondsLeft: 86_400,
  };
}

/** Texts of merchants are escaped: what looks like a script in the page is one of ours. */
const scripts = /<script[^>]*>[\s\S]*?<\/script>/g;

function page(view: PayView): DashboardResponse {
  const { html, styleHashes } = renderPage(view);
  const logo = view.merchant.logoUrl === null ? null : safeOrigin(view.merchant.logoUrl);
  const policy = [
    "default-src 'none'",
    `style-src ${styleHashes.join(' ')}`,
    `img-src 'self' data:${logo === null ? '' : ` ${logo}`}`,
    "form-action 'none'",
    "frame-ancestors 'self'",
    "base-uri 'none'",
  ];
  return {
    status: 200,
    body: undefined,
    json: new TextDecoder().decode(html).replaceAll(scripts, ''),
    mediaType: 'text/html; charset=utf-8',
    headers: { 'Content-Security-Policy': policy.join('; '), 'X-Frame-Options': 'SAMEORIGIN' },
  };
}
