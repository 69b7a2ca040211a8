// Group commit: change sets that arrive in the same turn of the event loop, or while earlier ones are being committed, share
// one statement. Each of them is written or left out by itself. No commit is acknowledged before it is durable.

import type { CountChange } from '../../domain/attempt-counts.ts';
import type { CommitOutcome, Conflict } from '../../domain/change-set.ts';
import { StorageUnavailable } from '../store.ts';
import type { Write } from '../writes.ts';
import { limitConstraint } from './attempt-counts.ts';
import type { Changing } from './commit-rows.ts';
import { commitStatement, shapeOf } from './commit-statement.ts';
import { breaksRule, brokenConstraint, isConflict, takenIn } from './failures.ts';
import type { Query, Row } from './rows.ts';

const maxGroup = 64;
const maxWaiting = 10_000;
/** Statements that are usually in progress: change sets that arrive meanwhile wait, which makes the next group larger. */
const usualLanes = 2;
/** A statement that takes longer may be waiting for a lock: others overtake it while there are connections. */
const slowMs = 10;

export interface GroupCommit {
  commit(writes: readonly Write[], counts?: readonly CountChange[]): Promise<CommitOutcome>;
}

export interface GroupCommitDeps {
  /** Throws the errors of PostgreSQL, conflicts included. */
  readonly query: Query;
  readonly maxLanes: number;
  readonly onCommitted?: (count: number) => void;
  /** Resolves when commits are allowed; null if they are allowed now. */
  readonly held: () => Promise<void> | null;
}

/** A statement in progress. */
interface Lane {
  isSlow: boolean;
}

interface Waiting extends Changing {
  readonly shape: string;
  readonly keys: readonly string[];
  /** The first row that is locked. All groups lock in this order, so that no two wait for each other. */
  readonly firstLocked: string;
  readonly resolve: (outcome: CommitOutcome) => void;
  readonly reject: (error: unknown) => void;
}

export function groupCommit({ query, maxLanes, held, onCommitted = () => {} }: GroupCommitDeps): GroupCommit {
  let waiting: Waiting[] = [];
  let scheduled = false;
  const inProgress = new Set<Lane>();

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
    if (inProgress.size >= maxLanes) return false;
    return inProgress.values().reduce((count, { isSlow }) => (isSlow ? count : count + 1), 0) < usualLanes;
  }

  /** The oldest, and others of its shape. A group writes each row once: a second change to it is left for a later group. */
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
    return group.sort((a, b) => (a.firstLocked < b.firstLocked ? -1 : 1));
  }

  async function run(group: readonly Waiting[]): Promise<void> {
    const lane: Lane = { isSlow: false };
    inProgress.add(lane);
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
      inProgress.delete(lane);
      if (waiting.length > 0) schedule();
    }
  }

  async function commitGroup(group: readonly Waiting[]): Promise<void> {
    try {
      const { rows } = await query(commitStatement(group[0]?.shape ?? '', group));
      for (const row of rows) group[Number(row.change) - 1]?.resolve(outcomeIn(row));
      onCommitted(group.length);
    } catch (error) {
      const conflict = conflictIn(error, group);
      if (conflict === null) throw error;
      // Nothing was written: the key of a new row was taken by another process, or a change set violates a constraint.
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
      const keys = writes.map(keyOf);
      const firstLocked =
        keys[
          Math.max(
            0,
            writes.findIndex(({ readVersion }) => readVersion !== null),
          )
        ] ?? '';
      waiting.push({ writes, counts, shape: shapeOf({ writes, counts }), keys, firstLocked, resolve, reject });
      schedule();
      return promise;
    },
  };
}

function keyOf({ table, record }: Write): string {
  return `${table.name} ${table.key.map(({ field }) => record[field]).join(' ')}`;
}

export function outcomeIn({ written, change: _, ...taken }: Row): CommitOutcome {
  if (written === true) return { committed: true };
  const [name] = Object.keys(taken).filter((name) => taken[name] === true);
  return { committed: false, conflict: name === undefined ? 'version' : (name.slice('taken '.length) as Conflict) };
}

/** Null: not the fault of a change set. An error: a change set violates another constraint of the schema. */
export function conflictIn(error: unknown, group: readonly Changing[]): Conflict | Error | null {
  if (isConflict(error)) return 'version';
  if (brokenConstraint(error) === limitConstraint) return 'limit';
  const taken = takenIn(error);
  const tables = group.flatMap(({ writes }) => writes.map(({ table }) => table));
  // The shards of a distributed table have the table's name with a suffix.
  if (taken !== null) return tables.find(({ name }) => taken === name || isShardOf(taken, name))?.taken ?? 'version';
  return breaksRule(error) ? error : null;
}

function isShardOf(table: string, name: string): boolean {
  return table.startsWith(`${name}_`) && /^\d+$/.test(table.slice(name.length + 1));
}
