// The order: the amount, and the line items if the merchant provided them.

import type { LineItem } from '../../../domain/money.ts';
import type { Order } from '../views.ts';
import { type Html, html } from './html.ts';
import { formatMoney } from './money-format.ts';
import type { Texts } from './translations/texts.ts';

/**
 * More items than this start collapsed, to keep the form near the top on a phone; the script expands them on a wide
 * screen.
 */
const maxExpandedItems = 2;

/** Longer amounts are set in smaller type, to stay on one line on a phone. */
const longAmountLength = 13;

export function orderAmount({ amount, currency }: Order, locale: string): string {
  return formatMoney(amount, currency, locale);
}

function itemRow(item: LineItem, currency: string, locale: string): Html {
  const price = formatMoney(BigInt(item.quantity) * BigInt(item.unitAmount), currency, locale);
  const each =
    item.quantity > 1 && html`<small>${item.quantity} × ${formatMoney(item.unitAmount, currency, locale)}</small>`;
  const description = item.description !== null && html`<small><bdi>${item.description}</bdi></small>`;
  return html`<li><bdi>${item.name}</bdi><b>${price}</b>${each}${description}</li>`;
}

export function itemList({ lineItems, currency }: Order, amount: string, locale: string, texts: Texts): Html | null {
  if (lineItems === null || lineItems.length === 0) return null;
  const rows = lineItems.map((item) => itemRow(item, currency, locale));
  const summary = html`<summary>${texts.orderDetails} <span>(${lineItems.length})</span></summary>`;
  const total = html`<p class="total"><span>${texts.total}</span><b>${amount}</b></p>`;
  if (lineItems.length <= maxExpandedItems) return html`<details open>${summary}<ul>${rows}</ul>${total}</details>`;
  const scrolling = html`<ul class="many" tabindex="0" role="list" aria-label="${texts.orderDetails}">${rows}</ul>`;
  return html`<details>${summary}${scrolling}${total}</details>`;
}

export function descriptionText(description: string | null): Html | null {
  return description === null ? null : html`<p class="description"><bdi>${description}</bdi></p>`;
}

export function orderSummary(order: Order, heading: string, locale: string, texts: Texts): Html {
  const amount = orderAmount(order, locale);
  return html`<h1>${heading}</h1>
<p class="${amount.length > longAmountLength ? 'sum long' : 'sum'}">${amount}</p>
${descriptionText(order.description)}${itemList(order, amount, locale, texts)}`;
}
