// The part of the port to storage that follows from table descriptions alone, for any set of tables.

import type { Changes, CommitOutcome } from '../domain/change-set.ts';
import type { Scope } from '../domain/merchant.ts';
import type { Sources, Table, View } from './table.ts';

export interface RecordStore<S extends Sources> {
  /** Atomic and durable when it returns `committed`; otherwise nothing of it is stored. */
  commit(changes: Changes<RecordsIn<S>>): Promise<CommitOutcome>;
  /** By the last field of its key, which is usually `id`, within a merchant and mode. */
  find<N extends NameIn<S>>(source: N, scope: Scope, id: string): Promise<RecordOf<S[N]> | null>;
  /** By one of the fields that identify a record on their own. */
  findBy<N extends NameIn<S>>(source: N, field: ByOf<S[N]>, value: string): Promise<RecordOf<S[N]> | null>;
  /** In the order of the table, usually newest first. */
  list<N extends TableNameIn<S>>(table: N, page: Page<S[N]>): Promise<readonly RecordOf<S[N]>[]>;
  /** Counts no further than `atMost`. */
  count<N extends TableNameIn<S>>(table: N, which: Selection<S[N]>, atMost: number): Promise<number>;
  /** Every record, of every merchant, in the order in which they are stored. */
  walk<N extends TableNameIn<S>>(
    table: N,
    after: RecordOf<S[N]> | null,
    limit: number,
  ): Promise<readonly RecordOf<S[N]>[]>;
  /**
   * Claims due work, oldest first. A claimed record cannot be claimed again before the lease ends, so a process that dies
   * only delays its work.
   */
  claim<N extends TableNameIn<S>>(table: N, work: ClaimOf<S[N]>, claim: Claim): Promise<readonly KeyOf<S[N]>[]>;
  /** Deletes at most `limit` records from before that time; returns how many. */
  prune<N extends TableNameIn<S>>(table: N, before: number, limit: number): Promise<number>;
}

export interface Claim {
  readonly now: number;
  readonly leaseMs: number;
  readonly limit: number;
}

/** Undefined filters are not applied. */
export interface Selection<T> {
  readonly scope?: Scope;
  readonly where?: { readonly [F in FilterOf<T>]?: F extends keyof RecordOf<T> ? RecordOf<T>[F] | undefined : never };
}

export interface Page<T> extends Selection<T> {
  readonly limit: number;
  /** The cursor of the last record of the previous page: its value of the field that the table is ordered by. */
  readonly after?: string | number | undefined;
}

export type NameIn<S> = keyof S & string;
export type TableNameIn<S> = { [N in NameIn<S>]: S[N] extends { readonly columns: unknown } ? N : never }[NameIn<S>];
export type RecordOf<T> =
  T extends Table<infer R, infer _B, infer _F, infer _C> ? R : T extends View<infer R, infer _B> ? R : never;
type ByOf<T> =
  T extends Table<infer _R, infer B, infer _F, infer _C> ? B : T extends View<infer _R, infer B> ? B : never;
type FilterOf<T> = T extends Table<infer _R, infer _B, infer F, infer _C> ? F : never;
type ClaimOf<T> = T extends Table<infer _R, infer _B, infer _F, infer C> ? C : never;
type KeyOf<T> = Pick<RecordOf<T>, Extract<keyof RecordOf<T>, 'merchantId' | 'livemode' | 'id'>>;
type RecordsIn<S> = { readonly [N in TableNameIn<S>]: RecordOf<S[N]> };
