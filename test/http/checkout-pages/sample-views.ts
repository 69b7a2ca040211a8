// One view of every page and every problem, for tests that cover all of them.

import type { CardFields } from '../../../src/acquirers/provider.ts';
import { collectableDetails } from '../../../src/domain/customer-details.ts';
import { lateMoneyKinds } from '../../../src/domain/late-money.ts';
import { type DetailProblems, detailFields } from '../../../src/domain/read-customer-details.ts';
import { renderPage } from '../../../src/http/checkout/pages/render.ts';
import {
  type AmountEntry,
  declineReasons,
  type Frame,
  type Language,
  type LinkEndedView,
  type PayProblem,
  type PayView,
  type View,
} from '../../../src/http/checkout/views.ts';

/** Renders a page, with its HTML as text. */
export function rendered(view: View) {
  const page = renderPage(view);
  return { ...page, html: new TextDecoder().decode(page.html) };
}

export function aFrame(language: Language = 'en'): Frame {
  return {
    language,
    locale: language,
    testMode: true,
    merchant: { name: 'Northwind', logoUrl: 'https://northwind.example/logo.svg', accentColor: '#0b7a4b' },
  };
}

export const anOrder = {
  amount: 4350,
  currency: 'EUR',
  description: 'N° 10023',
  lineItems: [
    { name: 'Yirgacheffe', quantity: 2, unitAmount: 1450, description: '500 g' },
    { name: 'Filtro', quantity: 1, unitAmount: 1450, description: null },
  ],
};

export const stripeFields: CardFields = {
  publishableKey: 'pk_test_sample',
  scriptUrl: 'https://js.stripe.com/dahlia/stripe.js',
  amount: 4350,
  currency: 'eur',
  captureMethod: 'automatic',
  sources: {
    script: ['https://js.stripe.com', 'https://*.js.stripe.com'],
    frame: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
    connect: ['https://api.stripe.com'],
  },
};

export function aPayView(language: Language = 'en', changes: Partial<PayView> = {}): PayView {
  return {
    ...aFrame(language),
    page: 'pay',
    order: anOrder,
    action: '/checkout/cs_1/pay',
    attempt: 'attempt-token',
    methods: ['card', 'ideal', 'sepa_debit'],
    unavailable: new Map(),
    cardEntry: 'own_fields',
    chosen: 'card',
    name: '',
    email: 'ann@northwind.example',
    details: null,
    problem: null,
    cancelUrl: 'https://northwind.example/cart',
    secondsLeft: 1800,
    pageUrl: '/checkout/cs_1',
    ...changes,
  };
}

const problems: Readonly<Record<string, PayProblem>> = {
  amount_changed: { kind: 'amount_changed' },
  form_expired: { kind: 'form_expired' },
  sent_from_elsewhere: { kind: 'sent_from_elsewhere' },
  slow_down: { kind: 'slow_down', seconds: 30 },
  too_many_declines: { kind: 'too_many_declines' },
  too_many_attempts: { kind: 'too_many_attempts' },
  method_unavailable: { kind: 'method_unavailable', method: 'card' },
  card_not_accepted: { kind: 'card_not_accepted' },
  link_used_up: { kind: 'link_used_up' },
  invalid: { kind: 'invalid', fields: { number: 'invalid', expiry: 'past', cvc: 'missing', name: 'invalid' } },
  ...Object.fromEntries(declineReasons.map((reason) => [reason, { kind: 'declined', reason } as const])),
};

/** All that a page can ask for, with a problem in every field. */
function detailViews(language: Language): Readonly<Record<string, View>> {
  const asked = collectableDetails;
  const fields = Object.fromEntries(detailFields(asked).map((field) => [field, 'missing'])) as DetailProblems;
  const details = { asked, values: {}, sameAddress: true };
  const ask = (changes: Partial<PayView>) => aPayView(language, { email: null, ...changes });
  return {
    'pay, details': ask({ details }),
    'pay, details invalid': ask({
      ...{ details: { ...details, sameAddress: false }, chosen: 'ideal' },
      problem: { kind: 'invalid', fields },
    }),
    "pay, provider's fields, details": ask({ cardEntry: stripeFields, details }),
  };
}

const amountProblems: Readonly<Record<string, AmountEntry['problem']>> = {
  'no problem': null,
  missing: { kind: 'missing' },
  invalid: { kind: 'invalid' },
  'other currency': { kind: 'other_currency' },
  refused: { kind: 'refused' },
  'too small': { kind: 'too_small', limit: 500 },
  'too large': { kind: 'too_large', limit: 10_000 },
  ambiguous: { kind: 'ambiguous', readings: [123_400, 123] },
};

const endings: readonly LinkEndedView['reason'][] = [
  ...(['completed', 'inactive', 'expired', 'taken', 'unavailable', 'too_many', 'sent_from_elsewhere'] as const),
];

function linkViews(frame: Frame): Readonly<Record<string, View>> {
  const link = { ...frame, page: 'link', action: '/pay/plink_1', visitor: 'visitor-token' } as const;
  const open = { amount: null, currency: 'EUR', description: 'N° 10023', lineItems: null };
  const entries = Object.entries(amountProblems).map(([name, problem]): [string, View] => [
    `link, open, ${name}`,
    { ...link, order: open, entry: { typed: '1.234', problem, minimum: 500, maximum: 10_000 } },
  ]);
  const ended = endings.map((reason): [string, View] => [
    `link ended, ${reason}`,
    { ...frame, page: 'link_ended', reason, seconds: 30, pageUrl: '/pay/plink_1' },
  ]);
  return {
    link: { ...link, order: anOrder, entry: null },
    'link, without limits': {
      ...link,
      order: open,
      entry: { typed: '', problem: null, minimum: null, maximum: null },
    },
    ...Object.fromEntries([...entries, ...ended]),
  };
}

export function everyView(language: Language): Readonly<Record<string, View>> {
  const frame = aFrame(language);
  const processing = {
    ...frame,
    page: 'processing',
    order: anOrder,
    statusUrl: '/checkout/cs_1/status',
    continueUrl: null,
  } as const;
  const receipt = {
    ...frame,
    page: 'receipt',
    order: anOrder,
    paidAt: Date.UTC(2030, 4, 17, 9, 46),
    reference: 'pi_1',
    shopUrl: 'https://northwind.example/cart',
    amounts: { charged: 4350, refunded: 0 },
  } as const;
  return {
    pay: aPayView(language),
    'pay, card only': aPayView(language, { methods: ['card'], secondsLeft: 100, email: null }),
    "pay, provider's fields": aPayView(language, { cardEntry: stripeFields }),
    "pay, provider's fields only": aPayView(language, { cardEntry: stripeFields, methods: ['card'] }),
    'pay, card by redirect': aPayView(language, { cardEntry: 'redirect' }),
    'pay, provider down': aPayView(language, { unavailable: new Map([['card', 'provider_down']]), chosen: 'ideal' }),
    'pay, only provider down': aPayView(language, {
      unavailable: new Map([['card', 'provider_down']]),
      methods: ['card'],
    }),
    'pay, one other method': aPayView(language, { methods: ['blik'], chosen: 'blik' }),
    ...Object.fromEntries(
      Object.entries(problems).map(([name, problem]) => [`pay, ${name}`, aPayView(language, { problem })]),
    ),
    challenge: { ...frame, page: 'challenge', order: anOrder, action: '/challenge', cardLast4: '3220' },
    bank: { ...frame, page: 'bank', order: anOrder, action: '/bank', method: 'ideal', settlesLater: false },
    'bank, later': { ...frame, page: 'bank', order: anOrder, action: '/bank', method: 'oxxo', settlesLater: true },
    processing,
    'processing, returned early': { ...processing, continueUrl: 'https://bank.example/continue' },
    receipt: { ...receipt, outcome: 'paid', method: { type: 'card', cardBrand: 'visa', cardLast4: '4242' } },
    'receipt, authorised': { ...receipt, outcome: 'authorised', method: { type: 'card' } },
    'receipt, captured and refunded in part': {
      ...receipt,
      outcome: 'paid',
      method: { type: 'card' },
      amounts: { charged: 3000, refunded: 1000 },
    },
    'receipt, refunded': {
      ...receipt,
      outcome: 'refunded',
      method: { type: 'ideal' },
      amounts: { charged: 4350, refunded: 4350 },
    },
    'receipt, pending': { ...receipt, outcome: 'pending', method: { type: 'sepa_debit' } },
    'receipt, failed': { ...receipt, outcome: 'failed', method: { type: 'oxxo' } },
    'redirecting, paid': { ...frame, page: 'redirecting', reason: 'paid', url: 'https://northwind.example/thanks' },
    'redirecting, authorised': {
      ...frame,
      page: 'redirecting',
      reason: 'authorised',
      url: 'https://northwind.example/thanks',
    },
    'redirecting, pending': {
      ...frame,
      page: 'redirecting',
      reason: 'pending',
      url: 'https://northwind.example/thanks',
    },
    'redirecting, unpaid': { ...frame, page: 'redirecting', reason: 'unpaid', url: 'https://northwind.example/thanks' },
    'redirecting, action': { ...frame, page: 'redirecting', reason: 'action', url: 'https://wallet.example/confirm' },
    expired: { ...frame, page: 'expired', lateMoney: 'none', cancelUrl: 'https://northwind.example/cart' },
    cancelled: { ...frame, page: 'cancelled', lateMoney: 'none', cancelUrl: null },
    ...Object.fromEntries(
      lateMoneyKinds.map((lateMoney): [string, View] => [
        `expired, late money ${lateMoney}`,
        { ...frame, page: 'expired', lateMoney, cancelUrl: null },
      ]),
    ),
    ...detailViews(language),
    ...linkViews(frame),
    'not found': { page: 'not_found', language },
    fault: { page: 'fault', language, requestId: 'req_1', pageUrl: '/checkout/cs_1' },
  };
}

/** The visible text of a page, without tags, scripts and styles. */
export function textOf(html: string): string {
  return html
    .replace(/<(script|style)>[\s\S]*?<\/\1>/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39|#96);/g, (entity) => characters[entity] ?? entity)
    .replace(/[\s\u00a0]+/g, ' ');
}

const characters: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#96;': '`',
};
