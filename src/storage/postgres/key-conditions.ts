// SQL that finds a row by its key.

import type { Column, Table } from '../table.ts';

/** Tables with an index on the id alone. */
export const tablesWithIdIndex: ReadonlySet<string> = new Set([
  'payment_intents',
  'checkout_sessions',
  'payment_links',
  'operations',
  'webhook_endpoints',
]);

/**
 * If the id has its own index, that is the only one to be considered: the others begin with the merchant and the mode, as
 * the primary key does, and look as good as that while a table is small, although they lead to all rows of the merchant.
 * No index is used for IS NOT DISTINCT FROM. On a distributed database the merchant determines the server.
 */
export function isSame(
  { name }: Table<unknown>,
  column: Column,
  [stored, value]: readonly [string, string],
  isDistributed = false,
): string {
  const byIdAlone = !isDistributed && tablesWithIdIndex.has(name) && column.field !== 'id';
  return `${stored}.${column.name} ${byIdAlone ? 'IS NOT DISTINCT FROM' : '='} ${value}`;
}
