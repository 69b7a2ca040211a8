// Options of every list command.

import { type CommandArguments, text, wholeNumber } from './command.ts';

export const listOptions = { limit: { type: 'string' }, cursor: { type: 'string' } } as const;

export const listHelp = `
  --limit N            number of results, 1 to 100 (default 20)
  --cursor CURSOR      show the next page; the previous page prints its cursor`;

export function listQuery(args: CommandArguments): Record<string, string | undefined> {
  const limit = wholeNumber(args, 'limit', { from: 1, to: 100 });
  return { limit: limit === undefined ? undefined : String(limit), cursor: text(args, 'cursor') };
}
