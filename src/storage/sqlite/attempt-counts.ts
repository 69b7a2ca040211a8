// Counters of attempts. SQLite has one writer, so a counter is read, incremented and written back within the commit.

import type { DatabaseSync } from 'node:sqlite';
import { type CountChange, mergedSlots, type Slots, totalOf } from '../../domain/attempt-counts.ts';
import type { Store } from '../store.ts';
import { attemptCounters } from '../tables/attempt-counters.ts';
import { inSteps } from './pruning.ts';
import type { Reader } from './reader.ts';
import type { ShortStep } from './short-steps.ts';

/** Counts within a transaction. Returns false if a counter is at its limit; the caller must then roll back. */
export function attemptCounting(database: DatabaseSync): (changes: readonly CountChange[]) => boolean {
  const find = database.prepare('SELECT slots, last_declined_at FROM attempt_counters WHERE key = ?');
  const remove = database.prepare('DELETE FROM attempt_counters WHERE key = ?');
  const write = database.prepare(`
    INSERT INTO attempt_counters (key, slots, last_declined_at, erase_at) VALUES (?, ?, ?, ?)
    ON CONFLICT (key) DO UPDATE SET slots = excluded.slots, last_declined_at = excluded.last_declined_at,
      erase_at = max(erase_at, excluded.erase_at)`);
  function count({ key, slots, lastDeclinedAt, eraseAt, atMost, since }: CountChange): boolean {
    const found = find.get(key);
    const before = found === undefined ? {} : (JSON.parse(String(found.slots)) as Slots);
    const after = mergedSlots(before, slots, since);
    const { underWay, declined } = totalOf(after);
    if (atMost !== null && underWay + declined > atMost) return false;
    if (underWay + declined === 0) remove.run(key);
    else write.run(key, JSON.stringify(after), Math.max(lastDeclinedAt, Number(found?.last_declined_at ?? 0)), eraseAt);
    return true;
  }
  return (changes) => changes.every(count);
}

type Attempts = Pick<Store, 'attemptCounters' | 'eraseAttempts'>;

export interface AttemptsDeps {
  readonly database: DatabaseSync;
  readonly read: Reader;
  readonly newStep: () => ShortStep;
  /** Resolves to whether it is empty. */
  readonly emptyLog: () => Promise<boolean>;
}

export function sqliteAttempts({ database, read, newStep, emptyLog }: AttemptsDeps): Attempts {
  const counter = read.one(attemptCounters, 'WHERE key = ?');
  const countersOver = database.prepare(`
    DELETE FROM attempt_counters WHERE key IN (
      SELECT key FROM attempt_counters WHERE erase_at <= ? ORDER BY erase_at LIMIT 0 + ?)`);
  // Every operation in progress has a due time, so the index on that finds it.
  const oldKeys = database.prepare(`
    UPDATE operations SET attempt = NULL WHERE rowid IN (
      SELECT rowid FROM operations WHERE due_at IS NOT NULL AND attempt IS NOT NULL AND created_at < ? LIMIT 0 + ?)`);
  const eraseCounters = inSteps(newStep(), (now, limit) => Number(countersOver.run(now, limit).changes));
  const eraseKeys = inSteps(newStep(), (madeBefore, limit) => Number(oldKeys.run(madeBefore, limit).changes));
  /** What was erased is still in the log. */
  let leavesTraces = false;
  return {
    attemptCounters: async (keys) => keys.map((key) => counter(key)).filter((found) => found !== null),
    async eraseAttempts(now, madeBefore, limit) {
      const erased = Math.max(await eraseCounters(now, limit), await eraseKeys(madeBefore, limit));
      if (erased > 0) leavesTraces = true;
      if (leavesTraces && erased < limit) {
        read.end();
        leavesTraces = !(await emptyLog());
      }
      return erased;
    },
  };
}
