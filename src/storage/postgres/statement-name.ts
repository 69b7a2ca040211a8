// Names of prepared statements. PostgreSQL cuts them at 63 bytes, and two that were cut alike would be taken for one.

import { hash } from 'node:crypto';

const maxLength = 63;
const digits = 12;
const names = new Map<string, string>();

/** Describes the purpose of the statement, and distinguishes it from others with the same purpose. */
export function statementName(meaning: string, text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `${meaning.slice(0, maxLength - digits - 1)} ${hash('sha256', text, 'hex').slice(0, digits)}`;
  names.set(text, name);
  return name;
}
