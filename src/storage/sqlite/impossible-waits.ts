// Ends waits that are longer than any possible delay: see `endImpossibleWaits` of the store.

import type { DatabaseSync } from 'node:sqlite';
import type { Store } from '../store.ts';
import type { GroupCommit } from './group-commit.ts';

export function sqliteImpossibleWaits(database: DatabaseSync, group: GroupCommit): Pick<Store, 'endImpossibleWaits'> {
  const statements = [
    `UPDATE operations SET due_at = :now WHERE rowid IN (
       SELECT rowid FROM operations WHERE due_at > :now + json_extract(:operations, '$[0]')
       AND due_at > :now + json_extract(:operations, '$[' || CAST(min(inquiries, :last) AS INTEGER) || ']') LIMIT :limit)`,
    `UPDATE deliveries SET due_at = :now WHERE rowid IN (
       SELECT rowid FROM deliveries INDEXED BY deliveries_due
       WHERE due_at > :now + :firstAttempt AND (attempts = '[]' OR due_at > :now + :retry) LIMIT :limit)`,
  ].map((sql) => {
    const statement = database.prepare(sql);
    statement.setAllowUnknownNamedParameters(true);
    return statement;
  });
  return {
    async endImpossibleWaits({ now, limit, operationMs, firstAttemptMs, retryMs }) {
      const values = {
        ...{ now, limit, firstAttempt: firstAttemptMs, retry: retryMs },
        ...{ operations: JSON.stringify(operationMs), last: operationMs.length - 1 },
      };
      const ended = await group.join(() => statements.map((statement) => Number(statement.run(values).changes)));
      return ended.includes(limit);
    },
  };
}
