// Commits on a distributed database. Citus cannot route the statement of group commit to one server, because its rows are
// in JSON. Here, every statement names the merchant whose rows it writes, and a change set is one transaction.
//
// Waiting change sets of the same merchant share a transaction, which then runs on a single server. If one of them
// conflicts, the transaction is rolled back, and each is committed on its own.
//
// Tables that are only on the coordinator are committed in groups as usual. Counters of attempts are there too: their
// statement is part of the transaction.

import { atMost } from '../../domain/at-most.ts';
import type { Conflict } from '../../domain/change-set.ts';
import { commitQueue, type Waiting } from './commit-queue.ts';
import type { Changing } from './commit-rows.ts';
import { commitStatement, shapeOf } from './commit-statement.ts';
import { wasBlocked } from './failures.ts';
import { conflictIn, type GroupCommit, outcomeIn } from './group-commit.ts';
import { oneByOne } from './one-by-one.ts';
import type { Query } from './rows.ts';
import { insertSql, insertsOf, positionSql, type Rows, updateSql, updatesOf } from './single-merchant-statements.ts';

const maxGroup = 32;

export interface DistributedCommitDeps {
  /** Throws the errors of PostgreSQL, including conflicts. */
  readonly transaction: (work: (query: Query) => Promise<boolean>) => Promise<void>;
  /** For tables that are only on the coordinator. */
  readonly onCoordinator: GroupCommit;
  readonly maxTransactions: number;
  readonly held: () => Promise<void> | null;
}

export function distributedCommit(deps: DistributedCommitDeps): GroupCommit {
  const { transaction, onCoordinator, maxTransactions, held } = deps;
  const commit = commitQueue({
    ...{ kindOf: merchantOf, maxGroup, usualLanes: maxTransactions, maxLanes: maxTransactions },
    ...{ worthAnotherLane: 1, held, commitGroup },
  });

  const limited = atMost(maxTransactions);
  const separately = oneByOne(Math.max(1, maxTransactions >> 1), (one) => commitGroup([one]));

  async function commitGroup(group: readonly Waiting[]): Promise<void> {
    const conflict = await limited.run(() => conflictOf(group));
    if (!wasBlocked(conflict)) separately.notBlocked();
    if (conflict === null) for (const { resolve } of group) resolve({ committed: true });
    else if (group.length > 1) await separately.commitEach(group);
    else if (conflict instanceof Error) group[0]?.reject(conflict);
    else group[0]?.resolve({ committed: false, conflict });
  }

  /** Null if the group was committed; an error if it violates a rule of the schema. */
  async function conflictOf(group: readonly Waiting[]): Promise<Conflict | Error | null> {
    let conflict: Conflict | null = null;
    try {
      await transaction(async (query) => {
        conflict = await writeAll(query, group);
        return conflict === null;
      });
      return conflict;
    } catch (error) {
      const found = conflictIn(error, group);
      if (found === null) throw error;
      return found;
    }
  }

  return {
    commit(writes, counts = []) {
      const isOnCoordinator = writes.every(({ table }) => table.placement === 'coordinator');
      return isOnCoordinator ? onCoordinator.commit(writes, counts) : commit(writes, counts);
    },
  };
}

/** Of the first row that has one. A change set with several merchants works too, but is slower. */
function merchantOf({ writes }: Changing): string {
  const write = writes.find(({ table }) => table.placement === 'by_merchant');
  return write === undefined ? '' : String(write.record.merchantId);
}

/**
 * Writes tables in a fixed order, so that deadlocks are rare; PostgreSQL aborts one of the transactions, which counts as a
 * conflict. Positions of events come last. Stops at the first conflict and returns it.
 */
async function writeAll(query: Query, group: readonly Changing[]): Promise<Conflict | null> {
  const writes = group.flatMap((one) => one.writes);
  const inserts = insertsOf(writes.filter(({ readVersion }) => readVersion === null));
  const steps = [
    ...updatesOf(writes.filter(({ readVersion }) => readVersion !== null)).map((rows) => () => update(query, rows)),
    ...inserts.filter(({ table }) => !table.positioned).map((rows) => () => insert(query, rows)),
    () => count(query, group),
    ...inserts.filter(({ table }) => table.positioned).map((rows) => () => insertPositioned(query, rows)),
  ];
  for (const step of steps) {
    const conflict = await step();
    if (conflict !== null) return conflict;
  }
  return null;
}

async function update(query: Query, rows: Rows): Promise<Conflict | null> {
  const { rowCount } = await query(updateSql(rows));
  return rowCount === rows.writes.length ? null : 'version';
}

async function insert(query: Query, rows: Rows, firstPosition?: number): Promise<Conflict | null> {
  const { rowCount } = await query(insertSql(rows, firstPosition));
  return rowCount === rows.writes.length || rows.table.skipsTaken ? null : rows.table.taken;
}

async function insertPositioned(query: Query, rows: Rows): Promise<Conflict | null> {
  const { rows: positions } = await query(positionSql(rows));
  return insert(query, rows, Number(positions[0]?.last) - rows.writes.length + 1);
}

/** With the statement of group commit, which writes nothing else here: counters are on the coordinator. */
async function count(query: Query, group: readonly Changing[]): Promise<Conflict | null> {
  const counting: Changing = { writes: [], counts: group.flatMap(({ counts }) => counts) };
  if (counting.counts.length === 0) return null;
  const { rows } = await query(commitStatement(shapeOf(counting), [counting]));
  const outcome = outcomeIn(rows[0] ?? {});
  return outcome.committed ? null : outcome.conflict;
}
