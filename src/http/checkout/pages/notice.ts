// The parts shared by all pages except the pay page: an icon, a heading, a sentence, details, a link.

import type { Order } from '../views.ts';
import { type Html, html, webAddress } from './html.ts';
import { orderAmount } from './order-summary.ts';
import type { Message, Texts } from './translations/texts.ts';

export function noticeHead(icon: Html | null, { title, body }: Message): Html {
  return html`${icon}<h1>${title}</h1><p>${body}</p>`;
}

export interface Fact {
  readonly label: string;
  readonly value: string | Html;
}

export function facts(rows: readonly Fact[]): Html {
  return html`<dl>${rows.map(({ label, value }) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`;
}

export function paymentFacts(order: Order, merchant: string, locale: string, texts: Texts): Fact[] {
  return [
    { label: texts.merchant, value: html`<bdi>${merchant}</bdi>` },
    { label: texts.amount, value: html`<b>${orderAmount(order, locale)}</b>` },
  ];
}

/** A link styled as a button; null if there is no safe URL. */
export function continueLink(url: string | null, text: string): Html | null {
  const address = webAddress(url);
  return address === null ? null : html`<a class="primary" href="${address}">${text}</a>`;
}

export interface Choice {
  readonly result: 'pass' | 'fail' | 'fail_later' | 'cancel';
  /** Always in English: developers and their tests look for it. */
  readonly label: string;
}

/** The sandbox's outcomes, and a button to go back, which is for customers and so in their language. */
export function choices(action: string, offered: readonly Choice[], { cancelAction }: Texts): Html {
  const buttons = offered.map(
    ({ result, label }) =>
      html`<button type="submit" name="result" value="${result}" class="${result === 'pass' ? 'primary' : 'secondary'}" lang="en" dir="ltr">${label}</button>`,
  );
  return html`<form method="post" action="${action}">${buttons}<button type="submit" name="result" value="cancel" class="back">${cancelAction}</button></form>`;
}
