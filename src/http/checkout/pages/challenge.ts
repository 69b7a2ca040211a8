// The sandbox's 3-D Secure page, which simulates the bank's.

import type { ChallengeView, RenderedPage } from '../views.ts';
import { framed } from './frame.ts';
import { html } from './html.ts';
import { type Choice, choices, facts, noticeHead, paymentFacts } from './notice.ts';
import { translations } from './translations/all.ts';

const outcomes: readonly Choice[] = [
  { result: 'pass', label: 'Complete authentication' },
  { result: 'fail', label: 'Fail authentication' },
];

export function challengePage(view: ChallengeView): RenderedPage {
  const texts = translations[view.language];
  const card = { label: texts.card, value: html`<bdi dir="ltr">•••• ${view.cardLast4}</bdi>` };
  return framed({
    language: view.language,
    frame: view,
    title: `${texts.challenge.title} · ${view.merchant.name}`,
    layout: 'notice',
    main: html`${noticeHead(null, texts.challenge)}
${facts([...paymentFacts(view.order, view.merchant.name, view.locale, texts), card])}
${choices(view.action, outcomes, texts)}`,
  });
}
