// Group commit: change sets that arrive in the same turn of the event loop share one transaction and so one sync to
// disk, each in its own savepoint. Nobody is told "committed" before the transaction is.

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ChangeSet, CommitOutcome } from '../../domain/change-set.ts';
import { StorageUnavailable } from '../store.ts';
import { changingColumns, columnNames, type Table, type Write, writesOf } from '../tables.ts';
import { encode } from './rows.ts';

const maxGroup = 256;
const maxWaiting = 10_000;

/** Extended result codes of a key that is taken. */
const takenCodes = [1555, 2067];

interface Waiting {
  readonly write: () => CommitOutcome;
  readonly resolve: (outcome: CommitOutcome) => void;
  readonly reject: (error: unknown) => void;
}

export interface GroupCommit {
  commit(changes: ChangeSet): Promise<CommitOutcome>;
  /** Any other writes, to be committed with the group. */
  join(write: () => void): Promise<void>;
  /** Commits what is waiting. */
  drain(): void;
}

/** `endReading` ends the transaction that reads share: a write must start from the newest state. */
export function groupCommit(database: DatabaseSync, endReading: () => void): GroupCommit {
  const waiting: Waiting[] = [];
  let scheduled = false;
  const begin = database.prepare('BEGIN IMMEDIATE');
  const end = database.prepare('COMMIT');
  const savepoint = database.prepare('SAVEPOINT one');
  const release = database.prepare('RELEASE one');
  const undo = database.prepare('ROLLBACK TO one');
  const statements = preparedWrites(database);

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      commitGroup();
      if (waiting.length > 0) schedule();
    });
  }

  function commitGroup(): void {
    const group = waiting.splice(0, maxGroup);
    if (group.length === 0) return;
    const settle: (() => void)[] = [];
    try {
      endReading();
      begin.run();
      for (const one of group) settle.push(apply(one));
      end.run();
    } catch (error) {
      if (database.isOpen && database.isTransaction) database.exec('ROLLBACK');
      const failure = new StorageUnavailable(`SQLite could not commit: ${(error as Error).message}`, { cause: error });
      for (const one of group) one.reject(failure);
      return;
    }
    for (const answer of settle) answer();
  }

  /** Answers what to tell the waiting one once the group is on disk. */
  function apply(one: Waiting): () => void {
    savepoint.run();
    try {
      const outcome = one.write();
      if (!outcome.committed) undo.run();
      return () => one.resolve(outcome);
    } catch (error) {
      if (!isConstraintFailure(error)) throw error;
      undo.run();
      return () => one.reject(error);
    } finally {
      if (database.isTransaction) release.run();
    }
  }

  function applyWrites(writes: readonly Write[]): CommitOutcome {
    for (const write of writes) {
      try {
        if (statements.run(write) === 0) return { committed: false, conflict: 'version' };
      } catch (error) {
        if (takenCodes.includes(resultCode(error))) return { committed: false, conflict: write.table.taken };
        throw error;
      }
    }
    return { committed: true };
  }

  function join(write: () => CommitOutcome): Promise<CommitOutcome> {
    if (waiting.length >= maxWaiting) {
      return Promise.reject(new StorageUnavailable('SQLite has too many commits waiting'));
    }
    const { promise, resolve, reject } = Promise.withResolvers<CommitOutcome>();
    waiting.push({ write, resolve, reject });
    schedule();
    return promise;
  }

  return {
    commit(changes) {
      const writes = writesOf(changes);
      return join(() => applyWrites(writes));
    },
    async join(write) {
      await join(() => {
        write();
        return { committed: true };
      });
    },
    drain() {
      while (waiting.length > 0) commitGroup();
    },
  };
}

/** One prepared statement a table and verb; answers how many rows it wrote. */
function preparedWrites(database: DatabaseSync): { run(write: Write): number } {
  const inserts = new Map<Table<unknown>, StatementSync>();
  const updates = new Map<Table<unknown>, StatementSync>();

  function statementFor(cache: Map<Table<unknown>, StatementSync>, table: Table<unknown>, sql: () => string) {
    let statement = cache.get(table);
    if (statement === undefined) {
      statement = database.prepare(sql());
      cache.set(table, statement);
    }
    return statement;
  }

  return {
    run({ table, record, readVersion }) {
      if (readVersion === null) {
        const values = table.columns.map((column) => encode(column, record[column.field]));
        return Number(statementFor(inserts, table, () => insertSql(table)).run(...values).changes);
      }
      const values = [...changingColumns(table), ...table.key].map((column) => encode(column, record[column.field]));
      return Number(statementFor(updates, table, () => updateSql(table)).run(...values, readVersion).changes);
    },
  };
}

function insertSql(table: Table<unknown>): string {
  return `INSERT INTO ${table.name} (${columnNames(table)}) VALUES (${table.columns.map(() => '?').join(', ')})`;
}

function updateSql(table: Table<unknown>): string {
  const changes = changingColumns(table).map(({ name }) => `${name} = ?`);
  const key = table.key.map(({ name }) => `${name} = ?`);
  return `UPDATE ${table.name} SET ${changes.join(', ')} WHERE ${key.join(' AND ')} AND version = ?`;
}

function resultCode(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0;
}

/** A broken rule of the schema is the fault of one change set, not of its group. */
function isConstraintFailure(error: unknown): boolean {
  return (resultCode(error) & 0xff) === 19;
}
