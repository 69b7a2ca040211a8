// Changes facts outside commits: each change checks the value that it replaces.

import type { Store } from '../store.ts';
import { columnNames } from '../table.ts';
import { auditEntries } from '../tables/audit-entries.ts';
import { encode, type Query } from './rows.ts';

export function postgresFacts(query: Query): Pick<Store, 'moveFact'> {
  return {
    async moveFact(name, from, to, audit) {
      const text = 'UPDATE facts SET value = $3 WHERE name = $1 AND value = $2';
      const values = [name, from, to];
      if (audit === undefined) return (await query({ name: 'move fact', text, values })).rowCount === 1;
      const recorded = auditEntries.columns.map((column) => encode(column, audit[column.field as keyof typeof audit]));
      const { rowCount } = await query({
        name: 'move and record fact',
        text: `WITH moved AS (${text} RETURNING 1)
               INSERT INTO audit_entries (${columnNames(auditEntries)})
               SELECT ${recorded.map((_, at) => `$${values.length + at + 1}`).join(', ')} FROM moved`,
        values: [...values, ...recorded],
      });
      return rowCount === 1;
    },
  };
}
