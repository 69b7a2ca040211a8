// The inline styles and scripts of the pages, each with its hash for the CSP header.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { brandTable } from './brand-table.ts';
import { type Html, trusted } from './html.ts';

export interface Block {
  readonly element: Html;
  /** The element in UTF-8, encoded only once because it makes up most of a page and never changes. */
  readonly encoded: Uint8Array;
  /** `'sha256-…'`, including the quotes. */
  readonly hash: string;
  readonly bytes: number;
}

export function block(tag: 'style' | 'script', content: string): Block {
  if (/<\/?(?:script|style)|<!--/i.test(content)) throw new TypeError(`This would end the ${tag} early: ${content}`);
  const element = `<${tag}>${content}</${tag}>`;
  return {
    element: trusted(element),
    encoded: Buffer.from(element),
    hash: `'sha256-${createHash('sha256').update(content).digest('base64')}'`,
    bytes: Buffer.byteLength(content),
  };
}

function source(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8');
}

/** Removes comments, indentation and spaces that CSS does not need. */
function compactCss(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replace(/([{;][\w-]+): /g, '$1:')
    .replace(/;\}/g, '}')
    .trim();
}

/**
 * Removes comment lines, indentation and most line breaks. This is safe because our scripts have no multi-line strings,
 * and no comments at the end of a line.
 */
function compactScript(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('//'))
    .join('\n')
    .replace(/([{;,(])\n/g, '$1');
}

function style(...names: readonly string[]): Block {
  return block('style', compactCss(names.map((name) => source(`./styles/${name}.css`)).join('\n')));
}

export const styles = {
  pay: style('frame', 'form', 'marks', 'pay', 'card-fields'),
  payAtProvider: style('frame', 'form', 'marks', 'pay', 'card-fields', 'provider-fields'),
  payWithDetails: style('frame', 'form', 'marks', 'pay', 'card-fields', 'provider-fields', 'detail-fields'),
  notice: style('frame', 'marks', 'notice'),
  link: style('frame', 'notice', 'form', 'link'),
} as const;

/** After the style of any page, on the embedded checkout. */
export const embedStyle: Block = style('embed');

export interface PageScript extends Block {
  readonly name: string;
  readonly purpose: string;
}

function script(name: string, purpose: string, before: string = ''): PageScript {
  return { name, purpose, ...block('script', `${before}${compactScript(source(`./scripts/${name}.js`))}`) };
}

/** The page's card brand detection, from the server's table. */
export const cardBrandScript = `const cardBrands=${JSON.stringify(brandTable)};\n${compactScript(source('./scripts/card-brand.js'))}\n`;

export const payScript = script(
  'pay',
  'On the pay page: submits the form and shows it again with the entered data if the payment was not made, shows progress and the time left, and checks the outcome of a payment whose response was lost.',
);
export const cardFieldsScript = script(
  'card-fields',
  'On the pay page of a session whose cards are served by the sandbox: groups the card number while it is typed, and checks the card fields.',
  cardBrandScript,
);
export const detailsScript = script(
  'details',
  'On the pay page of a session that collects customer details: reports empty fields, and which of them can stay empty in the chosen country.',
);
export const stripeFieldsScript = script(
  'stripe-fields',
  "On the pay page of a session whose cards are served by a Stripe account: shows Stripe's card fields and wallets, and gives the form a token for the card.",
);
export const processingScript = script(
  'processing',
  'On the processing page: polls for the outcome and continues once it is known.',
);
export const embedScript = script(
  'embed',
  "On the embedded checkout: fetches its pages with the client secret, shows them in place, and tells the shop's page about its height and the outcome.",
);
export const embedReturnScript = script(
  'embed-return',
  'Where a bank sends the customer of an embedded checkout back to: continues in its dialog, or on the whole page.',
);
export const printScript = script('print', 'On the receipt: prints it, with all items.');
export const localTimeScript = script(
  'local-time',
  "On the receipt: shows the time of the payment in the customer's own time zone.",
);
