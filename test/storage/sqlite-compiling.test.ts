// SQLite compiles a statement again whenever it is executed with a value that its plan may depend on.

import assert from 'node:assert/strict';
import { constants, DatabaseSync, StatementSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { freshStore, sqlite } from '../support/engines.ts';
import { useAll } from '../support/whole-store.ts';

/** Records the executed statements of this process from now on, and those that are compiled again for it. */
function recordExecutions(t: TestContext): { readonly executed: Set<string>; readonly compiled: Set<string> } {
  const executed = new Set<string>();
  const compiled = new Set<string>();
  const executing: string[] = [];
  const watched = new WeakSet<DatabaseSync>();
  const { prepare } = DatabaseSync.prototype;
  t.mock.method(DatabaseSync.prototype, 'prepare', function (this: DatabaseSync, sql: string) {
    // SQLite asks for permission whenever it compiles a statement.
    if (!watched.has(this)) {
      watched.add(this);
      this.setAuthorizer(() => {
        for (const each of executing) compiled.add(each);
        return constants.SQLITE_OK;
      });
    }
    return prepare.call(this, sql);
  });
  for (const method of ['all', 'get', 'run', 'iterate'] as const) {
    const execute = StatementSync.prototype[method] as (...values: unknown[]) => unknown;
    t.mock.method(StatementSync.prototype, method, function (this: StatementSync, ...values: unknown[]) {
      executed.add(this.sourceSQL);
      executing.push(this.sourceSQL);
      try {
        return execute.apply(this, values);
      } finally {
        executing.pop();
      }
    });
  }
  return { executed, compiled };
}

const isPragma = (sql: string): boolean => sql.startsWith('PRAGMA') || sql.includes('pragma_');
/** There are indexes of what is open, active or failed, which SQLite considers for just these values. */
const isByStatus = (sql: string): boolean => /\bstatus = \?/.test(sql);

describe('The statements of SQLite', () => {
  it('are not compiled again when they are executed', async (t) => {
    const { executed, compiled } = recordExecutions(t);
    const { store } = await freshStore(t, sqlite);
    const { uncalled } = await useAll(store);
    assert.deepEqual(uncalled, [], 'every function of the store is called');
    const limited = [...executed].filter((sql) => sql.includes('LIMIT'));
    assert.ok(limited.length > 50, `${limited.length} statements with a limit`);
    assert.deepEqual(
      [...compiled].filter((sql) => !isPragma(sql) && !isByStatus(sql)),
      [],
    );
  });
});
