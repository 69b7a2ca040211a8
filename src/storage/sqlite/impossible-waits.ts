// Ends waits that are longer than any possible delay: see `endImpossibleWaits` of the store. Whatever waits has to be
// examined, and while an endpoint is down, that may be hundreds of thousands of deliveries: it is done in short steps.

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { LongestWaits, Store } from '../store.ts';
import type { ShortStep } from './short-steps.ts';

/** Work that waits in queues, each in the order of time in the table's index. */
interface Kind {
  readonly table: string;
  /** The SQL condition for rows of one queue; empty if there is only one. */
  readonly inQueue: string;
  /** The queue that follows in the index; null after the last. The first one follows `''`. */
  readonly queueAfter: (queue: string) => string | null;
  /** What waits no longer than this is never impossible. */
  readonly shortestMs: (waits: LongestWaits) => number;
  /** The SQL condition for rows that wait longer. */
  readonly impossible: string;
}

/** The last row that was examined. */
interface Place {
  readonly queue: string;
  readonly due: number;
  readonly row: number;
}

/** Returns whether there may be more. */
type EndWaits = (waits: LongestWaits) => Promise<boolean>;

export function sqliteImpossibleWaits(
  database: DatabaseSync,
  newStep: () => ShortStep,
): Pick<Store, 'endImpossibleWaits'> {
  const nextEndpoint = database.prepare(
    'SELECT min(endpoint_id) AS id FROM deliveries WHERE due_at IS NOT NULL AND endpoint_id > ?',
  );
  const endpointAfter = (endpoint: string): string | null => {
    const id = nextEndpoint.get(endpoint)?.id;
    return typeof id === 'string' ? id : null;
  };
  const kinds: readonly Kind[] = [
    {
      ...{ table: 'operations', inQueue: '', queueAfter: (queue) => (queue === '' ? 'all' : null) },
      shortestMs: ({ operationMs }) => operationMs[0] ?? 0,
      impossible: `due_at > :now + json_extract(:operations, '$[' || CAST(min(inquiries, :last) AS INTEGER) || ']')`,
    },
    {
      ...{ table: 'deliveries', inQueue: 'endpoint_id = :queue AND', queueAfter: endpointAfter },
      shortestMs: ({ firstAttemptMs }) => firstAttemptMs,
      impossible: `attempts = '[]' OR due_at > :now + :retry`,
    },
  ];
  const endings = kinds.map((kind) => endingOf(database, kind, newStep()));
  return {
    async endImpossibleWaits(waits) {
      let more = false;
      for (const end of endings) more = (await end(waits)) || more;
      return more;
    },
  };
}

function endingOf(database: DatabaseSync, kind: Kind, step: ShortStep): EndWaits {
  const { table, inQueue, queueAfter, shortestMs, impossible } = kind;
  const examine = prepared(
    database,
    `SELECT rowid AS row, due_at AS due, ${impossible} AS impossible FROM ${table}
     WHERE ${inQueue} due_at IS NOT NULL AND (due_at, rowid) > (:due, :row) ORDER BY due_at, rowid LIMIT 0 + :size`,
  );
  const end = database.prepare(`UPDATE ${table} SET due_at = ? WHERE rowid = ?`);
  /** Where the next step continues; null: at the first queue. */
  let place: Place | null = null;

  function startAfter(queue: string, waits: LongestWaits): Place | null {
    const next = queueAfter(queue);
    return next === null ? null : { queue: next, due: waits.now + shortestMs(waits), row: Number.MAX_SAFE_INTEGER };
  }
  /** May be called several times for one step, so it changes nothing but the database. */
  function examineFrom(start: Place | null, waits: LongestWaits, size: number) {
    const { now, operationMs, retryMs: retry } = waits;
    const values = { now, retry, operations: JSON.stringify(operationMs), last: operationMs.length - 1 };
    let next = start ?? startAfter('', waits);
    let examined = 0;
    let ended = 0;
    while (next !== null && examined < size) {
      const most = size - examined;
      const rows = examine.all({ ...values, ...next, size: most });
      const impossible = rows.filter((row) => row.impossible === 1);
      for (const { row } of impossible) end.run(now, Number(row));
      ended += impossible.length;
      // A queue without such rows takes time, too.
      examined += Math.max(rows.length, 1);
      const last = rows.at(-1);
      const isOver = last === undefined || rows.length < most;
      next = isOver ? startAfter(next.queue, waits) : { ...next, due: Number(last.due), row: Number(last.row) };
    }
    return { examined, ended, next };
  }
  return async (waits) => {
    for (let ended = 0; ended < waits.limit; ) {
      const done = await step((size) => examineFrom(place, waits, size), waits.limit);
      place = done.next;
      ended += done.ended;
      if (place === null) return false;
    }
    return true;
  };
}

/** The kinds have different parameters. */
function prepared(database: DatabaseSync, sql: string): StatementSync {
  const statement = database.prepare(sql);
  statement.setAllowUnknownNamedParameters(true);
  return statement;
}
