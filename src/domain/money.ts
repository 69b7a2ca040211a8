// Amounts are integers in the currency's smallest unit. Sums are checked before they could lose a digit.

import { type Refusal, refuse } from './errors.ts';

export const maxAmount = 999_999_999_999;

export function isAmount(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= maxAmount;
}

export interface LineItem {
  readonly name: string;
  readonly quantity: number;
  readonly unitAmount: number;
  readonly description: string | null;
}

/** Exact for any quantities and prices: the products may pass what a double holds. */
function lineItemsTotal(items: readonly LineItem[]): bigint {
  return items.reduce((sum, item) => sum + BigInt(item.quantity) * BigInt(item.unitAmount), 0n);
}

/** The amount to charge: the stated one, the line items' sum, or both where they agree. */
export function agreeOnAmount(stated: number | undefined, items: readonly LineItem[] | null): number | Refusal {
  if (items === null || items.length === 0) {
    if (stated === undefined) {
      return refuse(
        'parameter_missing',
        'Send `amount` (an integer in the smallest currency unit: 12.50 EUR is 1250) or `line_items`.',
        'amount',
      );
    }
    return stated;
  }
  const total = lineItemsTotal(items);
  if (stated !== undefined && BigInt(stated) !== total) {
    return refuse(
      'parameter_invalid',
      `\`amount\` is ${stated}, but the line items add up to ${total}. Correct one of them, or send \`line_items\` alone.`,
      'amount',
    );
  }
  if (!isAmount(Number(total))) {
    return refuse(
      'parameter_invalid',
      `The line items add up to ${total}; the total must be between 1 and ${maxAmount}.`,
      'line_items',
    );
  }
  return Number(total);
}
