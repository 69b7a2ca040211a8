// Formats results for people: tables, amounts, and colours on a terminal.

import { styleText } from 'node:util';
import { currencyExponent, isCurrency } from '../domain/currencies.ts';
import { visible } from '../visible-text.ts';
import type { Fields } from './running-service.ts';

type Style = Parameters<typeof styleText>[0];

/** Anybody may have entered the text, so it is not coloured yet: its control characters are escaped before that. */
export type Cell = string | StyledText;

interface StyledText {
  readonly text: string;
  readonly style: Style | undefined;
}

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

export function statusCell(status: unknown): Cell {
  return { text: String(status), style: styles[String(status)] };
}

/** For a status in a sentence. */
export function paintStatus(status: unknown): string {
  return painted(printable(statusCell(status)));
}

function printable(cell: Cell): StyledText {
  return typeof cell === 'string' ? { text: visible(cell), style: undefined } : { ...cell, text: visible(cell.text) };
}

function painted({ text, style }: StyledText): string {
  return style === undefined ? text : paint(style, text);
}

export function table(rows: readonly (readonly Cell[])[]): string {
  const lines = rows.map((row) => row.map(printable));
  const widths: number[] = [];
  for (const line of lines) {
    for (const [at, { text }] of line.entries()) widths[at] = Math.max(widths[at] ?? 0, text.length);
  }
  const pad = (cell: StyledText, at: number): string =>
    painted(cell) + ' '.repeat((widths[at] ?? 0) - cell.text.length);
  return lines.map((line) => line.map(pad).join('  ').trimEnd()).join('\n');
}

export function tableUnder(headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return table([headings.map((heading) => ({ text: heading, style: 'dim' as const })), ...rows]);
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
    .map(([name, value]): Cell[] => [{ text: name, style: 'dim' }, shown(name, value)]);
  return table(rows);
}

function shown(name: string, value: unknown): Cell {
  if (name === 'status') return statusCell(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** One page of a list with its headings, and how to get the next page. */
export function page(list: Fields, headings: readonly string[], row: (entry: Fields) => readonly Cell[]): string {
  const entries = (Array.isArray(list.data) ? list.data : []) as readonly Fields[];
  if (entries.length === 0) return 'No results.';
  const more = list.has_more === true ? `\n\n${paint('dim', `next page: --cursor ${list.next_cursor}`)}` : '';
  return `${tableUnder(headings, entries.map(row))}${more}`;
}
