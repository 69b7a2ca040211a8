// What the demo shop sells: coffee, tea and what they are made with, at prices that look like prices in each currency.

import { currencyExponent } from '../domain/currencies.ts';
import type { LineItem } from '../domain/money.ts';
import type { Sampler } from './sampler.ts';

interface Product {
  readonly name: string;
  readonly description: string | null;
  readonly cents: number;
  /** How often it is bought. */
  readonly weight: number;
  /** The most that somebody buys at once. */
  readonly most: number;
}

const products: readonly Product[] = [
  { name: 'House blend, 250 g', description: 'Whole beans', cents: 890, weight: 14, most: 4 },
  { name: 'House blend, 1 kg', description: 'Whole beans', cents: 2990, weight: 9, most: 2 },
  { name: 'Ethiopia Guji, 250 g', description: 'Whole beans, washed', cents: 1290, weight: 9, most: 3 },
  { name: 'Colombia Huila, 250 g', description: 'Ground for filter', cents: 1150, weight: 8, most: 3 },
  { name: 'Decaf Brazil, 250 g', description: 'Whole beans', cents: 1090, weight: 5, most: 2 },
  { name: 'Espresso No. 4, 500 g', description: 'Ground for espresso', cents: 1690, weight: 8, most: 3 },
  { name: 'Sencha, 100 g', description: 'Loose leaf', cents: 1250, weight: 7, most: 3 },
  { name: 'Earl Grey, 100 g', description: 'Loose leaf', cents: 890, weight: 6, most: 3 },
  { name: 'Rooibos, 200 g', description: 'Loose leaf', cents: 750, weight: 4, most: 3 },
  { name: 'Matcha, 30 g', description: 'Ceremonial grade', cents: 2490, weight: 4, most: 2 },
  { name: 'Filter papers, 100 pieces', description: null, cents: 550, weight: 8, most: 4 },
  { name: 'Pour-over dripper', description: 'Porcelain, white', cents: 2400, weight: 3, most: 1 },
  { name: 'French press, 1 l', description: null, cents: 3990, weight: 2, most: 1 },
  { name: 'Hand grinder', description: 'Steel burrs', cents: 8900, weight: 2, most: 1 },
  { name: 'Gooseneck kettle', description: '0.9 l, matt black', cents: 7490, weight: 2, most: 1 },
  { name: 'Espresso cup', description: 'Stoneware, 80 ml', cents: 1400, weight: 5, most: 6 },
  { name: 'Tea pot', description: 'Cast iron, 0.6 l', cents: 5900, weight: 2, most: 1 },
  { name: 'Coffee subscription, 3 months', description: '500 g every month', cents: 5400, weight: 4, most: 1 },
  { name: 'Gift card', description: 'Sent by e-mail', cents: 5000, weight: 3, most: 2 },
  { name: 'Barista course', description: 'Three hours, for beginners', cents: 9500, weight: 1, most: 2 },
  { name: 'Espresso machine', description: 'Dual boiler, with grinder', cents: 119_900, weight: 0.4, most: 1 },
];

/** Units of the currency for one euro, and the steps that its prices are in; both need not be exact. */
const priceRules: Readonly<Record<string, { readonly perEuro: number; readonly step: number }>> = {
  EUR: { perEuro: 1, step: 0.05 },
  USD: { perEuro: 1.1, step: 0.25 },
  GBP: { perEuro: 0.86, step: 0.25 },
  CHF: { perEuro: 1, step: 0.5 },
  SEK: { perEuro: 11.4, step: 5 },
  PLN: { perEuro: 4.3, step: 1 },
  BRL: { perEuro: 5.9, step: 1 },
  MXN: { perEuro: 20, step: 5 },
  THB: { perEuro: 38, step: 10 },
  JPY: { perEuro: 165, step: 10 },
};

/** In the smallest unit of the currency. */
export function priceIn(currency: string, euroCents: number): number {
  const { perEuro, step } = priceRules[currency] ?? { perEuro: 1, step: 1 };
  const steps = Math.max(1, Math.round(((euroCents / 100) * perEuro) / step));
  return Math.round(steps * step * 10 ** currencyExponent(currency));
}

/** One to four different products. */
export function newCart(currency: string, sampler: Sampler): LineItem[] {
  const lines = sampler.weighted([
    [1, 58],
    [2, 27],
    [3, 11],
    [4, 4],
  ]);
  const chosen = new Map<string, LineItem>();
  for (let line = 0; line < lines; line++) {
    const product = sampler.weighted(products.map((one) => [one, one.weight] as const));
    const { name, description, most } = product;
    const quantity = sampler.happens(0.7) ? 1 : sampler.integer(1, most);
    chosen.set(name, { name, description, quantity, unitAmount: priceIn(currency, product.cents) });
  }
  return [...chosen.values()];
}
