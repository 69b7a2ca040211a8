// Shown when the customer is done and the merchant gave no return URL, and always when a pending payment has failed.

import type { ReceiptView, RenderedPage } from '../views.ts';
import { framed } from './frame.ts';
import { html } from './html.ts';
import { checkIcon, clockIcon, crossIcon } from './icons.ts';
import { localTimeScript, printScript } from './inline.ts';
import { drawnMark } from './marks/marks.ts';
import { cardName, methodName } from './method-names.ts';
import { continueLink, type Fact, facts, noticeHead, paymentFacts } from './notice.ts';
import { itemList, orderAmount } from './order-summary.ts';
import { formatTime } from './time-format.ts';
import { translations } from './translations/all.ts';
import type { Texts } from './translations/texts.ts';

const outcomes = {
  paid: { icon: checkIcon, text: 'paid' },
  pending: { icon: clockIcon, text: 'pending' },
  failed: { icon: crossIcon, text: 'failedLater' },
} as const;

function paidWith(method: NonNullable<ReceiptView['method']>, texts: Texts): Fact {
  const name =
    method.type === 'card' ? cardName(method.cardBrand, method.cardLast4, texts) : methodName(method.type, texts);
  const shown = drawnMark(method.type === 'card' ? (method.cardBrand ?? 'card') : method.type);
  return { label: texts.paymentMethod, value: html`${shown}<bdi>${name}</bdi>` };
}

export function receiptPage(view: ReceiptView): RenderedPage {
  const texts = translations[view.language];
  const { icon, text } = outcomes[view.outcome];
  const message = texts[text](view.merchant.name);
  const failed = view.outcome === 'failed';
  const rows: Fact[] = [
    ...paymentFacts(view.order, view.merchant.name, view.locale, texts),
    {
      label: texts.date,
      value: html`<time datetime="${new Date(view.paidAt).toISOString()}" data-locale="${view.locale}">${formatTime(view.paidAt, view.locale)}</time>`,
    },
    ...(view.method === null ? [] : [paidWith(view.method, texts)]),
    { label: texts.reference, value: html`<bdi class="code" dir="ltr">${view.reference}</bdi>` },
  ];
  return framed({
    language: view.language,
    frame: view,
    title: `${message.title} · ${view.merchant.name}`,
    layout: 'notice',
    scripts: failed ? [localTimeScript] : [localTimeScript, printScript],
    main: html`${noticeHead(icon, message)}
${facts(rows)}
${itemList(view.order, orderAmount(view.order, view.locale), view.locale, texts)}
${failed ? continueLink(view.shopUrl, texts.returnTo(view.merchant.name)) : html`<button type="button" class="secondary" id="print" hidden>${texts.print}</button><p class="quiet">${texts.canClose}</p>`}`,
  });
}
