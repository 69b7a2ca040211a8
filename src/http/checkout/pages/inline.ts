// The styles and scripts that stand inside the pages, each with the hash that the CSP header allows it by.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { brandTable } from './brand-table.ts';
import { type Html, trusted } from './html.ts';

export interface Block {
  readonly element: Html;
  /** The element in UTF-8: the larger part of a page, and the same on every page, so encoded only once. */
  readonly encoded: Uint8Array;
  /** `'sha256-…'`, with its quotes. */
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

/** Leaves out comments, indentation and the spaces that CSS does not need. */
function compactCss(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replace(/([{;][\w-]+): /g, '$1:')
    .replace(/;\}/g, '}')
    .trim();
}

/** Leaves out comment lines and indentation. Our scripts have no text over several lines, so that this is safe. */
function compactScript(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('//'))
    .join('\n');
}

function style(...names: readonly string[]): Block {
  return block('style', compactCss(names.map((name) => source(`./styles/${name}.css`)).join('\n')));
}

export const styles = {
  pay: style('frame', 'pay', 'card-fields'),
  notice: style('frame', 'notice'),
} as const;

export interface PageScript extends Block {
  readonly name: string;
  readonly purpose: string;
}

function script(name: string, purpose: string, before: string = ''): PageScript {
  return { name, purpose, ...block('script', `${before}${compactScript(source(`./scripts/${name}.js`))}`) };
}

/** What the page knows of card brands, from the table of the server. */
export const cardBrandScript = `const cardBrands=${JSON.stringify(brandTable)};\n${compactScript(source('./scripts/card-brand.js'))}\n`;

export const payScript = script(
  'pay',
  'On the pay page: groups the card number while it is typed, checks the card fields, sends the form and shows it again with what was typed if the payment was not made, shows progress and the time left, and asks what became of a payment whose answer was lost.',
  cardBrandScript,
);
export const processingScript = script(
  'processing',
  'On the processing page: asks for the outcome and goes on to it when it is known.',
);
export const localTimeScript = script(
  'local-time',
  "On the receipt: shows the time of the payment in the customer's own time zone.",
);
