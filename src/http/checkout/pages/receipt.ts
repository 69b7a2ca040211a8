// Shown when the customer is done and the merchant gave no return URL, and always when a pending payment has failed.

import type { ReceiptView, RenderedPage } from '../views.ts';
import { framed } from './frame.ts';
import { html } from './html.ts';
import { checkIcon, clockIcon, crossIcon } from './icons.ts';
import { localTimeScript, printScript } from './inline.ts';
import { drawnMark } from './marks/marks.ts';
import { cardName, methodName } from './method-names.ts';
import { formatMoney } from './money-format.ts';
import { continueLink, type Fact, facts, noticeHead, paymentFacts } from './notice.ts';
import { itemList, orderAmount } from './order-summary.ts';
import { formatTime } from './time-format.ts';
import { translations } from './translations/all.ts';
import type { Message, Texts } from './translations/texts.ts';

const icons = { paid: checkIcon, authorised: checkIcon, refunded: checkIcon, pending: clockIcon, failed: crossIcon };

function messageOf({ outcome, merchant: { name } }: ReceiptView, texts: Texts): Message {
  if (outcome === 'authorised' || outcome === 'refunded') return texts.receipt[outcome](name);
  return texts[outcome === 'failed' ? 'failedLater' : outcome](name);
}

function amountFacts({ order, amounts, merchant, locale }: ReceiptView, texts: Texts): Fact[] {
  const charged = paymentFacts({ ...order, amount: amounts.charged }, merchant.name, locale, texts);
  if (amounts.refunded === 0) return charged;
  const value = formatMoney(amounts.refunded, order.currency, locale);
  return [...charged, { label: texts.receipt.refundedAmount, value }];
}

function paidWith(method: NonNullable<ReceiptView['method']>, texts: Texts): Fact {
  const name =
    method.type === 'card' ? cardName(method.cardBrand, method.cardLast4, texts) : methodName(method.type, texts);
  const shown = drawnMark(method.type === 'card' ? (method.cardBrand ?? 'card') : method.type);
  return { label: texts.paymentMethod, value: html`${shown}<bdi>${name}</bdi>` };
}

export function receiptPage(view: ReceiptView): RenderedPage {
  const texts = translations[view.language];
  const message = messageOf(view, texts);
  const failed = view.outcome === 'failed';
  const rows: Fact[] = [
    ...amountFacts(view, texts),
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
    main: html`${noticeHead(icons[view.outcome], message)}
${facts(rows)}
${itemList(view.order, orderAmount(view.order, view.locale), view.locale, texts)}
${failed ? continueLink(view.shopUrl, texts.returnTo(view.merchant.name)) : html`<button type="button" class="secondary" id="print" hidden>${texts.print}</button><p class="quiet">${texts.canClose}</p>`}`,
  });
}
