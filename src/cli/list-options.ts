// What every command takes that lists something.

import { text, type Words, wholeNumber } from './command.ts';

export const listOptions = { limit: { type: 'string' }, cursor: { type: 'string' } } as const;

export const listHelp = `
  --limit N            how many, 1 to 100 (20)
  --cursor CURSOR      goes on where the page before ended, which names it`;

export function listQuery(words: Words): Record<string, string | undefined> {
  const limit = wholeNumber(words, 'limit', 'how many to show, 1 to 100');
  return { limit: limit === undefined ? undefined : String(limit), cursor: text(words, 'cursor') };
}
