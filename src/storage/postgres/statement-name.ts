// Names of prepared statements. PostgreSQL cuts them at 63 bytes, and two that were cut alike would be taken for one.

import { hash } from 'node:crypto';

const maxLength = 63;

export function statementName(meaning: string): string {
  return meaning.length <= maxLength ? meaning : hash('sha256', meaning, 'hex').slice(0, maxLength);
}
