// Formats results for people: tables, amounts, and colours on a terminal.

import { stripVTControlCharacters, styleText } from 'node:util';
import { currencyExponent, isCurrency } from '../domain/currencies.ts';
import type { Fields } from './running-service.ts';

type Style = Parameters<typeof styleText>[0];

/** Plain if the output is not a terminal, or NO_COLOR is set. */
export function paint(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout });
}

const styles: Readonly<Record<string, Style>> = {
  succeeded: 'green',
  completed: 'green',
  delivered: 'green',
  sent: 'green',
  open: 'cyan',
  active: 'cyan',
  inactive: 'dim',
  processing: 'yellow',
  pending: 'yellow',
  requires_action: 'yellow',
  requires_capture: 'yellow',
  failed: 'red',
  canceled: 'dim',
  expired: 'dim',
};

export function paintStatus(status: unknown): string {
  const style = styles[String(status)];
  return style === undefined ? String(status) : paint(style, String(status));
}

export function table(rows: readonly (readonly string[])[]): string {
  const widthOf = (cell: string): number => stripVTControlCharacters(cell).length;
  const widths: number[] = [];
  for (const row of rows) {
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, widthOf(cell));
  }
  const pad = (cell: string, at: number): string => cell + ' '.repeat((widths[at] ?? 0) - widthOf(cell));
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n');
}

export function tableUnder(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  return table([headings.map((heading) => paint('dim', heading)), ...rows]);
}

/** 1250 EUR is shown as 12.50 EUR. */
export function money(amount: unknown, currency: unknown): string {
  const code = String(currency);
  if (!isCurrency(code)) return `${amount} ${code}`;
  const exponent = currencyExponent(code);
  const digits = String(amount).padStart(exponent + 1, '0');
  const whole = digits.slice(0, digits.length - exponent);
  return exponent === 0 ? `${whole} ${code}` : `${whole}.${digits.slice(-exponent)} ${code}`;
}

/** Every field that has a value, one per line. */
export function details(record: Fields): string {
  const rows = Object.entries(record)
    .filter(([name, value]) => value !== null && name !== 'object' && name !== 'client_secret')
    .map(([name, value]) => [paint('dim', name), shown(name, value)]);
  return table(rows);
}

function shown(name: string, value: unknown): string {
  if (name === 'status') return paintStatus(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** One page of a list with its headings, and how to get the next page. */
export function page(list: Fields, headings: readonly string[], row: (entry: Fields) => readonly string[]): string {
  const entries = (Array.isArray(list.data) ? list.data : []) as readonly Fields[];
  if (entries.length === 0) return 'No results.';
  const more = list.has_more === true ? `\n\n${paint('dim', `next page: --cursor ${list.next_cursor}`)}` : '';
  return `${tableUnder(headings, entries.map(row))}${more}`;
}
