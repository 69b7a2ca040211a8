// Group commit: change sets that are ready in the same turn of the event loop, or while earlier ones are being committed,
// go in one statement. Each is written or not by itself. No commit is acknowledged before it is durable.

import type { CountChange } from '../../domain/attempt-counts.ts';
import type { CommitOutcome, Conflict } from '../../domain/change-set.ts';
import { StorageUnavailable } from '../store.ts';
import type { Write } from '../writes.ts';
import { limitConstraint } from './attempt-counts.ts';
import { type Changing, commitStatement, shapeOf } from './commit-statement.ts';
import { breaksRule, brokenConstraint, isConflict, takenIn } from './failures.ts';
import type { Query, Row } from './rows.ts';

const maxGroup = 64;
const maxWaiting = 10_000;
/** This many statements are under way as a rule: those that come meanwhile wait, and so make a larger group. */
const usualLanes = 2;
/** A statement that takes longer may be waiting for a lock: others go past it, as long as there are connections. */
const slowMs = 10;

export interface GroupCommit {
  commit(writes: readonly Write[], counts?: readonly CountChange[]): Promise<CommitOutcome>;
}

export interface GroupCommitDeps {
  /** Throws what PostgreSQL answered, conflicts included. */
  readonly query: Query;
  readonly maxLanes: number;
  /** Resolves when commits are allowed; null: they are. */
  readonly held: () => Promise<void> | null;
}

/** A statement that is under way. */
interface Lane {
  isSlow: boolean;
}

interface Waiting extends Changing {
  readonly shape: string;
  readonly keys: readonly string[];
  readonly resolve: (outcome: CommitOutcome) => void;
  readonly reject: (error: unknown) => void;
}

export function groupCommit({ query, maxLanes, held }: GroupCommitDeps): GroupCommit {
  let waiting: Waiting[] = [];
  let scheduled = false;
  const underWay = new Set<Lane>();

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(start);
  }

  function start(): void {
    scheduled = false;
    while (waiting.length > 0 && hasLane()) void run(nextGroup());
  }

  function hasLane(): boolean {
    if (underWay.size >= maxLanes) return false;
    return underWay.values().reduce((count, { isSlow }) => (isSlow ? count : count + 1), 0) < usualLanes;
  }

  /** The oldest, and those of its shape. A row is written once in a group: what else changes it comes later. */
  function nextGroup(): Waiting[] {
    const [oldest] = waiting;
    const group: Waiting[] = [];
    const rest: Waiting[] = [];
    const taken = new Set<string>();
    for (const one of waiting) {
      const joins = group.length < maxGroup && one.shape === oldest?.shape && !one.keys.some((key) => taken.has(key));
      (joins ? group : rest).push(one);
      if (joins) for (const key of one.keys) taken.add(key);
    }
    waiting = rest;
    return group;
  }

  async function run(group: readonly Waiting[]): Promise<void> {
    const lane: Lane = { isSlow: false };
    underWay.add(lane);
    const slow = setTimeout(() => {
      lane.isSlow = true;
      start();
    }, slowMs);
    try {
      await held();
      await commitGroup(group);
    } catch (error) {
      for (const { reject } of group) reject(error);
    } finally {
      clearTimeout(slow);
      underWay.delete(lane);
      if (waiting.length > 0) schedule();
    }
  }

  async function commitGroup(group: readonly Waiting[]): Promise<void> {
    try {
      const { rows } = await query(commitStatement(group[0]?.shape ?? '', group));
      for (const [at, { resolve }] of group.entries()) resolve(outcomeIn(rows[at]));
    } catch (error) {
      const conflict = conflictIn(error, group);
      if (conflict === null) throw error;
      // Nothing is written: one of them has a new key that another process was first with, or broke a rule.
      if (group.length > 1) await Promise.all(group.map((one) => commitGroup([one]).catch(one.reject)));
      else if (conflict instanceof Error) group[0]?.reject(conflict);
      else group[0]?.resolve({ committed: false, conflict });
    }
  }

  return {
    commit(writes, counts = []) {
      if (writes.length === 0 && counts.length === 0) return Promise.resolve({ committed: true });
      if (waiting.length >= maxWaiting) {
        return Promise.reject(new StorageUnavailable('PostgreSQL has too many commits waiting'));
      }
      const { promise, resolve, reject } = Promise.withResolvers<CommitOutcome>();
      waiting.push({ writes, counts, shape: shapeOf({ writes, counts }), keys: writes.map(keyOf), resolve, reject });
      schedule();
      return promise;
    },
  };
}

function keyOf({ table, record }: Write): string {
  return `${table.name} ${table.key.map(({ field }) => record[field]).join(' ')}`;
}

export function outcomeIn(row: Row | undefined): CommitOutcome {
  if (row === undefined) throw new Error('a change set has no outcome');
  for (const [name, holds] of Object.entries(row)) {
    if (holds !== true) continue;
    if (name === 'crowded') return { committed: false, conflict: 'limit' };
    if (name.startsWith('taken ')) return { committed: false, conflict: name.slice('taken '.length) as Conflict };
    return { committed: false, conflict: 'version' };
  }
  return { committed: true };
}

/** Null: nothing that is wrong with a change set. An error: it broke another rule of the schema. */
export function conflictIn(error: unknown, group: readonly Changing[]): Conflict | Error | null {
  if (isConflict(error)) return 'version';
  if (brokenConstraint(error) === limitConstraint) return 'limit';
  const taken = takenIn(error);
  const tables = group.flatMap(({ writes }) => writes.map(({ table }) => table));
  // A shard of a distributed table has a name of its own, which begins with the table's.
  if (taken !== null) return tables.find(({ name }) => taken === name || isShardOf(taken, name))?.taken ?? 'version';
  return breaksRule(error) ? error : null;
}

function isShardOf(table: string, name: string): boolean {
  return table.startsWith(`${name}_`) && /^\d+$/.test(table.slice(name.length + 1));
}
