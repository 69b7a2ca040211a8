// What the form of a new payment link means, in the API's terms.

import type { NewPaymentLink } from '../../../src/http/dashboard/api-types.ts';
import { invalid } from '../../api/form-errors.ts';
import { amountOrProblem } from '../../components/amount-words.ts';
import { chosenDetails } from '../../components/collect-choice.tsx';

export type PriceKind = 'fixed' | 'open';

export const linkParams = [
  'amount',
  'currency',
  'minimum_amount',
  'maximum_amount',
  'description',
  'max_uses',
  'expires_at',
  'redirect_url',
];

/** Throws what is wrong with it. */
export function linkTerms(fields: FormData, type: PriceKind): NewPaymentLink {
  const text = (name: string): string => String(fields.get(name) ?? '').trim();
  const currency = text('currency');
  const price =
    type === 'fixed'
      ? { amount: enteredAmount('amount', text('amount'), currency) }
      : {
          ...optional('minimum_amount', optionalAmount('minimum_amount', text('minimum_amount'), currency)),
          ...optional('maximum_amount', optionalAmount('maximum_amount', text('maximum_amount'), currency)),
        };
  return {
    type,
    currency,
    ...price,
    ...optional('description', text('description') || null),
    ...optional('max_uses', readUses(text('max_uses'))),
    ...optional('expires_at', readExpiry(text('expires_at'))),
    ...optional('redirect_url', text('redirect_url') || null),
    ...chosenDetails(fields),
  };
}

function enteredAmount(param: string, typed: string, currency: string, orElse?: string): number {
  const amount = amountOrProblem(typed, currency, orElse);
  if (typeof amount === 'string') throw invalid(param, amount);
  return amount;
}

function optionalAmount(param: string, typed: string, currency: string): number | null {
  return typed === '' ? null : enteredAmount(param, typed, currency, ', or leave this empty');
}

function readUses(typed: string): number | null {
  if (typed === '') return null;
  const uses = Number(typed);
  if (!Number.isSafeInteger(uses) || uses < 1) throw invalid('max_uses', 'Enter a whole number, or leave this empty.');
  return uses;
}

/** The field has the viewer's time zone, the API wants it named. */
function readExpiry(typed: string): string | null {
  if (typed === '') return null;
  const at = new Date(typed);
  if (Number.isNaN(at.getTime())) throw invalid('expires_at', 'Choose a date and a time.');
  return at.toISOString();
}

function optional<Name extends string, Value>(name: Name, value: Value | null): { [name in Name]?: Value } {
  return value === null ? {} : ({ [name]: value } as { [name in Name]?: Value });
}
