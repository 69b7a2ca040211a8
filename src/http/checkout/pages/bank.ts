// The sandbox's bank page, which simulates the page of a local payment method.

import type { BankView, RenderedPage } from '../views.ts';
import { framed } from './frame.ts';
import { html } from './html.ts';
import { methodName } from './method-names.ts';
import { type Choice, choices, facts, noticeHead, paymentFacts } from './notice.ts';
import { translations } from './translations/all.ts';

const atOnce: readonly Choice[] = [
  { result: 'pass', label: 'Authorise payment' },
  { result: 'fail', label: 'Decline payment' },
];
const later: readonly Choice[] = [...atOnce, { result: 'fail_later', label: 'Authorise, then fail later' }];

export function bankPage(view: BankView): RenderedPage {
  const texts = translations[view.language];
  const message = view.method === 'oxxo' ? texts.oxxoPage : texts.bank(methodName(view.method, texts));
  return framed({
    language: view.language,
    frame: view,
    title: `${message.title} · ${view.merchant.name}`,
    layout: 'notice',
    main: html`${noticeHead(null, message)}
${facts(paymentFacts(view.order, view.merchant.name, view.locale, texts))}
${choices(view.action, view.settlesLater ? later : atOnce, texts)}`,
  });
}
