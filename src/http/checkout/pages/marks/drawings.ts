// Our own simple drawings of payment methods and card brands, each on a card of 36 by 24. They have a background of their
// own, so that they look the same on light and dark pages.

import type { KnownBrand } from '../../../../domain/card-brands.ts';
import type { PaymentMethodType } from '../../../../domain/payment-methods.ts';
import { type Lettering, lettering } from './lettering.ts';

export type Mark = PaymentMethodType | KnownBrand;

const ground = (colour: string): string => `<rect width="36" height="24" rx="3" fill="${colour}"/>`;
/** On a light page, a white card needs an edge. */
const white = `<rect x=".5" y=".5" width="35" height="23" rx="2.5" fill="#fff" stroke="#c9ced6"/>`;

function line(d: string, colour: string, width: number): string {
  return `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;
}

function fill(d: string, colour: string): string {
  return `<path d="${d}" fill="${colour}"/>`;
}

const dot = (x: number, y: number, radius: number, colour: string): string =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${colour}"/>`;

function word(text: string, colour: string, width: number, at: Lettering): string {
  return line(lettering(text, at), colour, width);
}

/** Two circles that overlap, and the lens between them. */
function circles(left: string, right: string, both: string): string {
  return `${white}${dot(14, 12, 7, left)}${dot(22, 12, 7, right)}${fill('M18 6.3a7 7 0 0 1 0 11.4a7 7 0 0 1 0-11.4', both)}`;
}

export const drawings: Readonly<Record<Mark, string>> = {
  card: `${ground('#5b6b7d')}${fill('M0 6h36v4.5H0z', '#2f3b48')}${line('M5 17h8M17 17h4', '#fff', 2)}`,

  visa: white + word('VISA', '#1434cb', 2.1, { x: 5.2, y: 16.3, height: 8.6, gap: 2.3, lean: 2 }),
  mastercard: circles('#eb001b', '#f79e1b', '#ff5f00'),
  maestro: circles('#eb001b', '#00a2e5', '#7375cf'),
  amex: ground('#016fd0') + word('AMEX', '#fff', 1.8, { x: 4.6, y: 15.7, height: 7.4, gap: 2 }),
  discover:
    white +
    fill('M36 12.5V21a3 3 0 0 1-3 3H12C22 22.5 31 18 36 12.5', '#f47216') +
    word('DISC', '#1d2733', 1, { x: 3.4, y: 12, height: 4.6, gap: 1.1 }) +
    dot(18.6, 9.7, 2.7, '#f47216') +
    word('VER', '#1d2733', 1, { x: 22, y: 12, height: 4.6, gap: 1 }),
  diners:
    white +
    dot(18, 12, 8.5, '#0069aa') +
    dot(18, 12, 6.3, '#fff') +
    fill('M16.5 7v10a5.3 5.3 0 0 1 0-10M19.5 7v10a5.3 5.3 0 0 0 0-10', '#0069aa'),
  jcb:
    white +
    fill('M5 20V7a3.5 3.5 0 0 1 3.5-3.5h4.5V17a3.5 3.5 0 0 1-3.5 3.5H5z', '#0b5cb5') +
    fill('M14 20.5V7a3.5 3.5 0 0 1 3.5-3.5H22V17a3.5 3.5 0 0 1-3.5 3.5z', '#d6133c') +
    fill('M23 20.5V7a3.5 3.5 0 0 1 3.5-3.5H31V17a3.5 3.5 0 0 1-3.5 3.5z', '#1b8a3c') +
    word('J', '#fff', 1.3, { x: 7.6, y: 14.5, height: 5, gap: 0 }) +
    word('C', '#fff', 1.3, { x: 16.2, y: 14.5, height: 5, gap: 0 }) +
    word('B', '#fff', 1.3, { x: 25.6, y: 14.5, height: 5, gap: 0 }),
  unionpay:
    white +
    fill('M9 4h7l-4 16H5z', '#d8222f') +
    fill('M16 4h8l-4 16h-8z', '#10438a') +
    fill('M24 4h8l-4 16h-8z', '#00707c'),

  ideal:
    white +
    line('M8.5 4.5v15h8.5c15 0 15-15 0-15z', '#1d1d1b', 2) +
    dot(13, 8.8, 1.9, '#1d1d1b') +
    fill('M11.3 12h3.4v5h-3.4z', '#1d1d1b') +
    fill('M17.5 7v10C26.5 17 26.5 7 17.5 7', '#c06'),
  bancontact:
    white +
    fill('M5 18c7 0 10-2.5 13-6h13v-2.5c0 5.5-4 8.5-9 8.5z', '#005498') +
    fill('M31 6c-7 0-10 2.5-13 6H5v2.5C5 9 9 6 14 6z', '#ffd800'),
  eps:
    white + fill('M4.5 6h4v12h-4z', '#71716f') + word('eps', '#c8036f', 2, { x: 11.6, y: 15, height: 9.4, gap: 2.4 }),
  blik:
    ground('#000') +
    word('blik', '#fff', 2.2, { x: 7.2, y: 18, height: 11, gap: 3.2 }) +
    dot(19.6, 7.2, 2.4, '#e6356d'),
  pix:
    white +
    `<g transform="rotate(45 18 12)" fill="#32bcad"><path d="M12.5 6.5h5v5h-5zM18.5 6.5h5v5h-5zM12.5 12.5h5v5h-5zM18.5 12.5h5v5h-5z"/></g>`,
  promptpay:
    ground('#113566') +
    word('Prompt', '#fff', 1.3, { x: 5, y: 10.3, height: 6, gap: 1.7 }) +
    word('Pay', '#19c3b1', 1.3, { x: 5, y: 19.5, height: 6, gap: 1.7 }),
  swish:
    white +
    line('M23.5 8A6.8 6.8 0 0 0 11.7 9.5', '#52b44b', 3) +
    line('M11.4 12.5a6.8 6.8 0 0 0 5 6.1', '#f7b334', 3) +
    line('M12.5 16A6.8 6.8 0 0 0 24.3 14.5', '#6a3d97', 3) +
    line('M24.6 11.5a6.8 6.8 0 0 0-4.6-6', '#ec3a68', 3),
  twint:
    ground('#000') +
    fill('M18 2l3.5 6h-7z', '#00b0e8') +
    fill('M18 2l3.5 6H18z', '#ff6b00') +
    word('TWINT', '#fff', 1.8, { x: 4.2, y: 18.6, height: 6.3, gap: 2.1 }),
  sepa_debit:
    ground('#10298e') +
    word('SEPA', '#fff', 2, { x: 5, y: 15.8, height: 7.6, gap: 2.4 }) +
    line('M4.5 20h27', '#ffcc02', 1.5),
  oxxo:
    ground('#da1a21') +
    fill('M0 3a3 3 0 0 1 3-3h30a3 3 0 0 1 3 3v1.5H0zM0 19.5h36V21a3 3 0 0 1-3 3H3a3 3 0 0 1-3-3z', '#fbb034') +
    word('OXXO', '#fff', 1.9, { x: 4.2, y: 15.4, height: 6.8, gap: 2 }),
};
