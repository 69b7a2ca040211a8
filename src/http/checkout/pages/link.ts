// The page of a payment link: what is being paid for, and for an open link, how much. It has no script.

import { currencyExponent } from '../../../domain/currencies.ts';
import type { AmountEntry, LinkView, RenderedPage } from '../views.ts';
import { framed } from './frame.ts';
import { type Html, html, trusted } from './html.ts';
import { formatMoney } from './money-format.ts';
import { descriptionText, orderSummary } from './order-summary.ts';
import { translations } from './translations/all.ts';
import type { Texts } from './translations/texts.ts';

/** What an amount looks like: 25 units. */
const exampleUnits = 25;

export function linkPage(view: LinkView): RenderedPage {
  const texts = translations[view.language];
  const heading = texts.payTo(view.merchant.name);
  const { order, entry } = view;
  const about =
    order.amount === null
      ? html`<h1>${heading}</h1>${descriptionText(order.description)}`
      : orderSummary({ ...order, amount: order.amount }, heading, view.locale, texts);
  return framed({
    language: view.language,
    frame: view,
    title: heading,
    layout: 'link',
    main: html`${about}
<form method="post" action="${view.action}"><input type="hidden" name="visitor" value="${view.visitor}">
${entry !== null && amountField(entry, view, texts)}
<button type="submit" class="primary">${texts.link.continueToPay}</button></form>`,
  });
}

function amountField(entry: AmountEntry, { order, locale }: LinkView, texts: Texts): Html {
  const { currency } = order;
  const money = (amount: number): string => formatMoney(amount, currency, locale);
  const hints = [
    entry.minimum === null ? null : texts.link.amountTooSmall(money(entry.minimum)),
    entry.maximum === null ? null : texts.link.amountTooLarge(money(entry.maximum)),
  ].filter((hint) => hint !== null);
  // The message about a limit names it already.
  const isLimit = entry.problem?.kind === 'too_small' || entry.problem?.kind === 'too_large';
  const message = entry.problem === null ? null : problemText(entry.problem, { currency, locale }, texts);
  const keyboard = currencyExponent(currency) === 0 ? 'numeric' : 'decimal';
  return html`<div class="field"><label for="amount">${texts.amount} (${currency})</label>
<input id="amount" name="amount" value="${entry.typed}" type="text" inputmode="${keyboard}" autocomplete="off" maxlength="60" dir="ltr" autocapitalize="none" autocorrect="off" spellcheck="false" aria-describedby="amount-hint amount-error"${message !== null && trusted(' aria-invalid="true" autofocus')}>
<small id="amount-hint">${isLimit ? null : hints.join(' ')}</small><p class="error" id="amount-error">${message}</p></div>`;
}

function problemText(
  problem: NonNullable<AmountEntry['problem']>,
  { currency, locale }: { readonly currency: string; readonly locale: string },
  { link }: Texts,
): string {
  const money = (amount: number): string => formatMoney(amount, currency, locale);
  switch (problem.kind) {
    case 'missing':
      return link.amountMissing;
    case 'invalid':
      return link.amountInvalid(money(exampleUnits * 10 ** currencyExponent(currency)));
    case 'ambiguous':
      return link.amountAmbiguous(
        new Intl.ListFormat(locale, { type: 'disjunction' }).format(problem.readings.map(money)),
      );
    case 'other_currency':
      return link.amountOtherCurrency(currency);
    case 'too_small':
      return link.amountTooSmall(money(problem.limit));
    case 'too_large':
      return link.amountTooLarge(money(problem.limit));
    case 'refused':
      return link.amountRefused;
  }
}
