// The sandbox's test cards, by what happens to payments with them.

import { readCard } from '../domain/card.ts';
import type { Country } from './countries.ts';
import type { Sampler } from './sampler.ts';

type Card = Exclude<ReturnType<typeof readCard>, { problems: unknown }>;

export type CardBehaviour =
  | 'approved'
  | 'declined'
  | 'challenged'
  | 'declined_after_challenge'
  | 'refund_fails'
  | 'dispute_lost'
  | 'dispute_won';

const declined = [
  ['4000000000009995', 42],
  ['4000000000000002', 24],
  ['4000000000000127', 12],
  ['4000000000000069', 10],
  ['4000000000000119', 6],
  ['4000000000009987', 3],
  ['4000000000009979', 3],
] as const;

const visa = '4242424242424242';
const mastercard = '5555555555554444';
const amex = '378282246310005';
const discover = '6011111111111117';

const approvedIn = (country: string): readonly (readonly [string, number])[] => {
  if (country === 'US')
    return [
      [visa, 52],
      [mastercard, 26],
      [amex, 16],
      [discover, 6],
    ];
  return [
    [visa, 52],
    [mastercard, 42],
    [amex, 6],
  ];
};

const others: Readonly<Record<Exclude<CardBehaviour, 'approved' | 'declined'>, string>> = {
  challenged: '4000000000003220',
  declined_after_challenge: '4000008400001629',
  refund_fails: '4000000000005126',
  dispute_lost: '4000000000000259',
  dispute_won: '4000000000002685',
};

/** As the customer types it, at this time. */
export function typedCard(
  behaviour: CardBehaviour,
  { country, name, now }: { readonly country: Country; readonly name: string; readonly now: number },
  sampler: Sampler,
): Card {
  const number =
    behaviour === 'approved'
      ? sampler.weighted(approvedIn(country.code))
      : behaviour === 'declined'
        ? sampler.weighted(declined)
        : others[behaviour];
  const expiry = `${sampler.integer(1, 12)}/${new Date(now).getUTCFullYear() + sampler.integer(1, 4)}`;
  const cvc = number === amex ? '1234' : '123';
  const card = readCard({ number, expiry, cvc, name }, now);
  if ('problems' in card) throw new Error(`the test card ${number} cannot be used`);
  return card;
}
