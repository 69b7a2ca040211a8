// Amounts are integers in the currency's smallest unit. Totals are computed without loss of precision.

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

/** Exact for any quantities and prices: the products may exceed what a double can represent. */
function lineItemsTotal(items: readonly LineItem[]): bigint {
  return items.reduce((sum, item) => sum + BigInt(item.quantity) * BigInt(item.unitAmount), 0n);
}

/** The amount to charge: the one given, the total of the line items, or both if they agree. */
export function agreeOnAmount(given: number | undefined, items: readonly LineItem[] | null): number | Refusal {
  if (items === null || items.length === 0) {
    if (given === undefined) {
      return refuse(
        'parameter_missing',
        'Send `amount` (an integer in the smallest currency unit: 12.50 EUR is 1250) or `line_items`.',
        'amount',
      );
    }
    return given;
  }
  const total = lineItemsTotal(items);
  if (given !== undefined && BigInt(given) !== total) {
    return refuse(
      'parameter_invalid',
      `\`amount\` is ${given}, but the line items add up to ${total}. Correct one of them, or send \`line_items\` alone.`,
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
