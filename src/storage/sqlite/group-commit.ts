// Group commit: change sets from the same tick of the event loop share one transaction, and thus one sync to disk, but each
// succeeds or fails on its own. No commit is acknowledged before the transaction is committed.

import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { CountChange } from '../../domain/attempt-counts.ts';
import type { CommitOutcome } from '../../domain/change-set.ts';
import { StorageUnavailable } from '../store.ts';
import { type Column, changingColumns, columnNames, type Table } from '../table.ts';
import type { Write } from '../writes.ts';
import { attemptCounting } from './attempt-counts.ts';
import { bulkFrom, bulkInserts, insertsFrom } from './bulk-insert.ts';
import { placeIn } from './places.ts';
import { isBusy, resultCode } from './result-codes.ts';
import { encode } from './rows.ts';

const maxGroup = 256;
/** Rows of one transaction, unless a single change set has more: longer transactions would delay all others. */
const maxRows = 1_000;
const maxWaiting = 10_000;
/** How long writes wait for another process to unlock the file, and how often they retry. */
const lockedWaitMs = 5_000;
const retryMs = 20;

/** Extended result codes for a key that already exists. */
const takenCodes = [1555, 2067];

interface Waiting {
  readonly rows: number;
  /** Whether it is acknowledged only when it is on the disk. */
  readonly durable: boolean;
  /** May be called several times. An error is a violated constraint, which does not affect the others. */
  readonly write: () => CommitOutcome | Error;
  readonly resolve: (outcome: CommitOutcome) => void;
  readonly reject: (error: unknown) => void;
  /** Whether it waits for another process to unlock the file, and whether that has taken too long. */
  locked: 'no' | 'waits' | 'over';
}

export interface GroupCommit {
  commit(writes: readonly Write[], counts?: readonly CountChange[]): Promise<CommitOutcome>;
  /** Commits any other writes with the group; returns the result of `write`, which may be called several times. */
  join<T>(write: () => T): Promise<T>;
  /** The same in a separate transaction, after the writes that are already waiting. */
  alone<T>(write: () => T): Promise<T>;
  /** Starts no transaction until the returned function is called. */
  hold(): () => void;
  /** Resolves when nothing is waiting. */
  drain(): Promise<void>;
}

export interface GroupCommitOptions {
  /** Ends the transaction that reads share: a write must start from the newest state. */
  readonly endReading: () => void;
  /** Called after each transaction. */
  readonly onCommitted?: () => void;
  readonly maxLockedMs?: number | undefined;
}

/**
 * While another process locks the file, writes wait without blocking the event loop: the connection must have no busy
 * timeout.
 */
export function groupCommit(
  database: DatabaseSync,
  { endReading, onCommitted, maxLockedMs = lockedWaitMs }: GroupCommitOptions,
): GroupCommit {
  const waiting: Waiting[] = [];
  let scheduled = false;
  let holds = 0;
  /** Change sets that join the queue in the next tick. */
  let deferred = 0;
  const onEmpty: (() => void)[] = [];
  const begin = database.prepare('BEGIN IMMEDIATE');
  const end = database.prepare('COMMIT');
  const savepoint = database.prepare('SAVEPOINT one');
  const release = database.prepare('RELEASE one');
  const undo = database.prepare('ROLLBACK TO one');
  const rollback = database.prepare('ROLLBACK');
  /** Whether commits wait for the disk, as the database is opened. A commit that waits also syncs those before it. */
  let syncs = true;
  const statements = preparedWrites(database);
  const insertAll = bulkInserts(database);
  const count = attemptCounting(database);

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(run);
  }

  function run(): void {
    scheduled = false;
    if (holds > 0) return;
    if (commitGroup() === 'locked') {
      scheduled = true;
      setTimeout(run, retryMs);
    } else if (waiting.length > 0) schedule();
    else if (deferred === 0) for (const resolve of onEmpty.splice(0)) resolve();
  }

  function commitGroup(): 'done' | 'locked' {
    const group = waiting.splice(0, groupSize());
    if (group.length === 0) return 'done';
    let answers: (() => void)[];
    let isCommitted = false;
    try {
      endReading();
      syncFor(group);
      answers = applyTogether(group) ?? applySeparately(group);
      isCommitted = true;
    } catch (error) {
      if (database.isOpen && database.isTransaction) rollback.run();
      if (isBusy(error)) return waitForLock(group, error);
      const failure = new StorageUnavailable(`SQLite could not commit: ${(error as Error).message}`, { cause: error });
      answers = group.map((one) => () => one.reject(failure));
    }
    for (const answer of answers) answer();
    if (isCommitted) onCommitted?.();
    return 'done';
  }

  function syncFor(group: readonly Waiting[]): void {
    const wanted = group.some(({ durable }) => durable);
    if (wanted === syncs) return;
    database.exec(`PRAGMA synchronous = ${wanted ? 'FULL' : 'NORMAL'}`);
    syncs = wanted;
  }

  function groupSize(): number {
    let rows = 0;
    let size = 0;
    while (size < maxGroup && size < waiting.length) {
      rows += waiting[size]?.rows ?? 0;
      if (rows > maxRows && size > 0) break;
      size++;
    }
    return size;
  }

  /** Puts the writes back at the front of the queue, and rejects those that have waited too long. */
  function waitForLock(group: readonly Waiting[], cause: unknown): 'done' | 'locked' {
    const all = [...group, ...waiting.splice(0)];
    const fresh = all.filter(({ locked }) => locked === 'no');
    for (const one of fresh) one.locked = 'waits';
    if (fresh.length > 0) {
      setTimeout(() => {
        for (const one of fresh) one.locked = 'over';
      }, maxLockedMs).unref();
    }
    const failure = new StorageUnavailable('another process has locked the SQLite file', { cause });
    for (const one of all) {
      if (one.locked === 'over') one.reject(failure);
      else waiting.push(one);
    }
    return waiting.length > 0 ? 'locked' : 'done';
  }

  /** Assumes that all succeed, as they nearly always do. Returns null, with nothing written, if one fails. */
  function applyTogether(group: readonly Waiting[]): (() => void)[] | null {
    begin.run();
    const answers: (() => void)[] = [];
    for (const { write, resolve } of group) {
      const outcome = write();
      if (outcome instanceof Error || !outcome.committed) {
        rollback.run();
        return null;
      }
      answers.push(() => resolve(outcome));
    }
    end.run();
    return answers;
  }

  /**
   * Each in its own savepoint, so that one can be rolled back without the others. SQLite then copies every page before
   * each savepoint changes it: measured at 8 % of the CPU time of creating a session.
   */
  function applySeparately(group: readonly Waiting[]): (() => void)[] {
    begin.run();
    const answers = group.map(({ write, resolve, reject }) => {
      savepoint.run();
      const outcome = write();
      const failed = outcome instanceof Error;
      if (failed || !outcome.committed) undo.run();
      release.run();
      return () => (failed ? reject(outcome) : resolve(outcome));
    });
    end.run();
    return answers;
  }

  /** An error is a violated constraint, which concerns this change set and not its group. */
  function applyWrites(writes: readonly Write[]): CommitOutcome | Error {
    let inserted = 0;
    for (const [at, write] of writes.entries()) {
      if (at < inserted) continue;
      try {
        if (writes.length >= bulkFrom && isFirstOfTable(writes, at)) inserted = at + insertMany(writes, at);
        if (at < inserted) continue;
        if (statements.run(write) === 0 && !write.table.skipsTaken) return { committed: false, conflict: 'version' };
      } catch (error) {
        if (takenCodes.includes(resultCode(error))) return { committed: false, conflict: write.table.taken };
        if (error instanceof Error && isConstraintFailure(error)) return error;
        throw error;
      }
    }
    return { committed: true };
  }

  /** Returns how many were inserted together, starting at `at`; 0: insert them one by one. */
  function insertMany(writes: readonly Write[], at: number): number {
    const count = insertsFrom(writes, at);
    const table = writes[at]?.table;
    return table === undefined || count < bulkFrom ? 0 : (insertAll(table, writes.slice(at, at + count)) ?? 0);
  }

  function join(write: Waiting['write'], rows: number, durable = true): Promise<CommitOutcome> {
    if (waiting.length >= maxWaiting) {
      return Promise.reject(new StorageUnavailable('SQLite has too many commits waiting'));
    }
    const { promise, resolve, reject } = Promise.withResolvers<CommitOutcome>();
    const one: Waiting = { rows, durable, write, resolve, reject, locked: 'no' };
    const enqueue = (): void => {
      waiting.push(one);
      schedule();
    };
    // Deciding so much has already taken long: let others run before it is written.
    if (rows > maxRows) {
      deferred += 1;
      setImmediate(() => {
        deferred -= 1;
        enqueue();
      });
    } else enqueue();
    return promise;
  }

  async function joinWith<T>(write: () => T, rows: number): Promise<T> {
    let answer: { readonly value: T } | undefined;
    await join(() => {
      try {
        answer = { value: write() };
        return { committed: true };
      } catch (error) {
        if (error instanceof Error && isConstraintFailure(error)) return error;
        throw error;
      }
    }, rows);
    if (answer === undefined) throw new Error('committed without having been written');
    return answer.value;
  }

  return {
    commit(writes, counts = []) {
      const durable = counts.length > 0 || writes.some(({ table }) => !table.mayBeLost);
      const write = (): CommitOutcome | Error => {
        const outcome = applyWrites(writes);
        if (outcome instanceof Error || !outcome.committed || count(counts)) return outcome;
        return { committed: false, conflict: 'limit' };
      };
      return join(write, writes.length, durable);
    },
    join: (write) => joinWith(write, 1),
    alone: (write) => joinWith(write, maxRows + 1),
    hold() {
      holds += 1;
      return () => {
        holds -= 1;
        if (waiting.length > 0) schedule();
      };
    },
    async drain() {
      if (waiting.length === 0 && deferred === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      onEmpty.push(resolve);
      await promise;
    },
  };
}

/** Writes are grouped by table. */
const isFirstOfTable = (writes: readonly Write[], at: number): boolean => writes[at]?.table !== writes[at - 1]?.table;

type RunWrite = (write: Write) => number;

/** One prepared statement per table and verb; returns the number of rows written. */
function preparedWrites(database: DatabaseSync): { run: RunWrite } {
  const inserts = new Map<Table<unknown>, RunWrite>();
  const updates = new Map<Table<unknown>, RunWrite>();

  function insertInto(table: Table<unknown>): RunWrite {
    const insert = inserter(database, table);
    return ({ record }) => insert(record);
  }
  function updateOf(table: Table<unknown>): RunWrite {
    const place = placeIn(table);
    const statement = database.prepare(updateSql(table, place?.exact === true));
    const columns = [...changingColumns(table), ...table.key];
    return ({ record, readVersion }) => {
      const given = [...valuesOf(columns, record), readVersion];
      return Number(statement.run(...(place?.exact === true ? [...given, place.of(record)] : given)).changes);
    };
  }
  return {
    run(write) {
      const { table, readVersion } = write;
      const [cache, prepare] = readVersion === null ? [inserts, insertInto] : [updates, updateOf];
      const run = cache.get(table) ?? prepare(table);
      cache.set(table, run);
      return run(write);
    },
  };
}

function valuesOf(columns: readonly Column[], record: Write['record']): SQLInputValue[] {
  return columns.map((column) => encode(column, record[column.field]));
}

/** Inserts a record; returns the number of rows written. */
export function inserter(database: DatabaseSync, table: Table<unknown>): (record: Write['record']) => number {
  const place = placeIn(table);
  const columns = `${place === undefined ? '' : 'place, '}${columnNames(table)}${table.positioned ? ', position' : ''}`;
  const values = [
    ...(place === undefined ? [] : [place.sql]),
    ...table.columns.map(() => '?'),
    ...(table.positioned ? [nextPosition(table)] : []),
  ];
  const verb = table.skipsTaken ? 'INSERT OR IGNORE' : 'INSERT';
  const statement = database.prepare(`${verb} INTO ${table.name} (${columns}) VALUES (${values.join(', ')})`);
  return (record) => {
    const given = valuesOf(table.columns, record);
    return Number(statement.run(...(place === undefined ? given : [place.of(record), ...given])).changes);
  };
}

/** The order of commits is the order of writing, because there is one writer. The scope's columns come first. */
function nextPosition({ name }: Table<unknown>): string {
  return `(SELECT coalesce(max(position), 0) + 1 FROM ${name} WHERE merchant_id = ?1 AND livemode = ?2)`;
}

function updateSql(table: Table<unknown>, byPlace: boolean): string {
  const changes = changingColumns(table).map(({ name }) => `${name} = ?`);
  const key = table.key.map(({ name }) => `${name} = ?`);
  const found = [...key, 'version = ?', ...(byPlace ? ['place = ?'] : [])].join(' AND ');
  return `UPDATE ${table.name} SET ${changes.join(', ')} WHERE ${found}`;
}

function isConstraintFailure(error: unknown): boolean {
  return (resultCode(error) & 0xff) === 19;
}
