// Reads. Those in the same tick of the event loop share a transaction: acquiring and releasing SQLite's locks costs as much
// as the look-up itself (measured: 9 µs per look-up alone, 5 µs inside a transaction), and all of them see one state.

import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { columnNames, type Table } from '../table.ts';
import { asUnavailable, orUnavailable } from './result-codes.ts';
import { decoder } from './rows.ts';

export interface Reader {
  one<R>(table: Table<R>, condition: string): (...values: SQLInputValue[]) => R | null;
  many<R>(table: Table<R>, condition: string): (...values: SQLInputValue[]) => R[];
  /** Ends the shared transaction; to be called before anything is written. */
  end(): void;
}

export function reader(database: DatabaseSync): Reader {
  const decoders = new Map<Table<unknown>, (values: readonly SQLOutputValue[]) => unknown>();
  const begin = database.prepare('BEGIN');
  const commit = database.prepare('COMMIT');
  const rollback = database.prepare('ROLLBACK');
  let reading = false;

  function end(): void {
    if (!reading) return;
    reading = false;
    // SQLite itself may have ended a transaction in which the disk failed, which that read has reported.
    if (!database.isTransaction) return;
    try {
      commit.run();
    } catch {
      if (database.isTransaction) rollback.run();
    }
  }
  function join(): void {
    if (reading) return;
    begin.run();
    reading = true;
    setImmediate(end);
  }
  function select(table: Table<unknown>, condition: string): StatementSync {
    const statement = database.prepare(`SELECT ${columnNames(table)} FROM ${table.name} AS t ${condition}`);
    statement.setReturnArrays(true);
    return statement;
  }
  function decoderOf<R>(table: Table<R>): (values: readonly SQLOutputValue[]) => R {
    const known = decoders.get(table) ?? decoder(table);
    decoders.set(table, known);
    return known as (values: readonly SQLOutputValue[]) => R;
  }
  function all<R>(table: Table<R>, statement: StatementSync, values: readonly SQLInputValue[]): R[] {
    join();
    const rows = orUnavailable(() => statement.all(...values)) as unknown as SQLOutputValue[][];
    return rows.map(decoderOf(table));
  }

  return {
    one<R>(table: Table<R>, condition: string) {
      const statement = select(table, condition);
      const decode = decoderOf(table);
      return (...values) => {
        join();
        try {
          const row = statement.get(...values) as unknown as SQLOutputValue[] | undefined;
          return row === undefined ? null : decode(row);
        } catch (error) {
          throw asUnavailable(error);
        }
      };
    },
    many<R>(table: Table<R>, condition: string) {
      const statement = select(table, condition);
      return (...values) => all(table, statement, values);
    },
    end,
  };
}
