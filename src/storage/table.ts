// What a table description consists of. A description is all that an engine needs to find, list, count, claim, prune,
// insert and update the records of a table: a new table needs no code in either engine.

import type { Conflict } from '../domain/change-set.ts';

export type ColumnKind = 'text' | 'integer' | 'boolean' | 'json' | 'bytes';

/**
 * Where rows are on a database that is distributed over several servers: with all that belongs to their merchant, on every
 * server, or on the coordinator.
 */
export type Placement = 'by_merchant' | 'every_node' | 'coordinator';

export interface Column {
  readonly field: string;
  readonly name: string;
  readonly kind: ColumnKind;
}

/** `By`: fields that identify a record on their own. `Filters`: fields that a list can be filtered by. */
export interface Table<R, By extends string = string, Filters extends string = string, Claims extends string = string> {
  readonly name: string;
  readonly columns: readonly Column[];
  /** Columns that identify one row. */
  readonly key: readonly Column[];
  /** Rows that change carry a version; the others are only ever inserted. */
  readonly versioned: boolean;
  /** Columns that a commit only sets on a new row; later they never change, or outside commits, without a version. */
  readonly insertedOnly: readonly Column[];
  /** The conflict that a commit returns if a new row's key exists. */
  readonly taken: Conflict;
  /** The key of a new row often exists already, because requests are repeated. */
  readonly oftenTaken: boolean;
  /** A new row whose key exists is left out, and is no conflict. */
  readonly skipsTaken: boolean;
  /** New rows may be lost if the machine loses power. On SQLite, a commit of nothing else does not wait for the disk. */
  readonly mayBeLost: boolean;
  /** New rows get a `position`: their place in the commit order of their merchant and mode, starting at 1. */
  readonly positioned: boolean;
  readonly foundBy: readonly Column[];
  readonly filters: readonly Column[];
  readonly order: Order;
  /** Its lists are short, and commits wait for them: PostgreSQL reads them like look-ups, which no other list delays. */
  readonly listedQuickly: boolean;
  /** An SQL condition on the row `t`: rows that do not match are treated as if they did not exist. */
  readonly only: string | null;
  /** Rows belong to a merchant and a mode, and are only read within them. */
  readonly scoped: boolean;
  readonly placement: Placement;
  readonly claims: Readonly<Record<Claims, ClaimDescription>>;
  /** The time by which rows are pruned. */
  readonly prunedBy: Column | null;
  /** An SQL condition on the row `t` for it to be pruned. */
  readonly prunedOnly: string | null;
  /** Never set: only ties a table to the type of its records. */
  readonly types?: { readonly record: R; readonly by: By; readonly filters: Filters };
}

/** The order of lists, and what their cursors are. */
export interface Order {
  readonly column: Column;
  readonly ascending: boolean;
}

/** Work that becomes due at a time. A process that claims it has it until the lease ends. */
export interface ClaimDescription {
  readonly dueAt: Column;
  /** The column with the end of the lease, which is not part of the record. If null, `dueAt` itself is set to it. */
  readonly leasedUntil: string | null;
  /** The longest possible delay. Anything due later than that got its time from a clock that was ahead. */
  readonly longestMs: number | null;
  /** A further SQL condition on the row `t`. */
  readonly condition: string | null;
}

/** Several records that are read together: the root, and one record of each other table that it refers to. */
export interface View<R, By extends string = string> {
  readonly root: { readonly field: string; readonly table: Table<unknown> };
  readonly others: readonly ViewPart[];
  readonly foundBy: readonly Column[];
  /** Never present. */
  readonly types?: { readonly record: R; readonly by: By };
}

export interface ViewPart {
  readonly field: string;
  readonly table: Table<unknown>;
  /** The key of the part, from columns of the root. */
  readonly on: readonly { readonly own: Column; readonly root: Column }[];
}

export type Source = Table<unknown> | View<unknown>;
export type Sources = Readonly<Record<string, Source>>;

interface Description<R, By extends string, Filters extends string, Claims extends string> {
  readonly name: string;
  readonly columns: { readonly [F in keyof R & string]: ColumnKind };
  readonly key: readonly (keyof R & string)[];
  readonly versioned?: boolean;
  readonly insertedOnly?: readonly (keyof R & string)[];
  readonly taken?: Conflict;
  readonly oftenTaken?: boolean;
  readonly skipsTaken?: boolean;
  readonly mayBeLost?: boolean;
  readonly positioned?: boolean;
  readonly foundBy?: readonly By[];
  readonly filters?: readonly Filters[];
  /** By default `id`, newest first. */
  readonly order?: { readonly by: keyof R & string; readonly ascending: boolean };
  readonly listedQuickly?: boolean;
  readonly only?: string;
  /** By default, whether the record has a merchant and a mode. */
  readonly scoped?: boolean;
  /** By default with their merchant if they belong to one, else on the coordinator. */
  readonly placement?: Placement;
  readonly claims?: {
    readonly [C in Claims]: {
      readonly dueAt: keyof R & string;
      readonly leasedUntil?: string;
      readonly longestMs?: number;
      readonly condition?: string;
    };
  };
  readonly prunedBy?: keyof R & string;
  readonly prunedOnly?: string;
}

/** The columns of a record's merchant and mode. */
export const scopeColumns = { merchantId: 'text', livemode: 'boolean' } as const;

/** Curried, so that the record's type is given and the other types are inferred. */
export function table<R>() {
  return <
    const By extends keyof R & string = never,
    const Filters extends keyof R & string = never,
    const Claims extends string = never,
  >(
    description: Description<R, By, Filters, Claims>,
  ): Table<R, By, Filters, Claims> => {
    const columns = (Object.entries(description.columns) as [string, ColumnKind][]).map(([field, kind]) => ({
      field,
      name: columnName(field),
      kind,
    }));
    const column = (field: string): Column => columnOf({ name: description.name, columns }, field);
    const order = description.order ?? { by: 'id', ascending: false };
    const claims = Object.entries(description.claims ?? {}) as [
      Claims,
      { dueAt: string; leasedUntil?: string; longestMs?: number; condition?: string },
    ][];
    const scoped = description.scoped ?? ('merchantId' in description.columns && 'livemode' in description.columns);
    return {
      name: description.name,
      columns,
      key: description.key.map(column),
      versioned: description.versioned ?? false,
      insertedOnly: (description.insertedOnly ?? []).map(column),
      taken: description.taken ?? 'version',
      oftenTaken: description.oftenTaken ?? false,
      skipsTaken: description.skipsTaken ?? false,
      mayBeLost: description.mayBeLost ?? false,
      positioned: description.positioned ?? false,
      foundBy: (description.foundBy ?? []).map(column),
      filters: (description.filters ?? []).map(column),
      order: { column: column(order.by), ascending: order.ascending },
      listedQuickly: description.listedQuickly ?? false,
      only: description.only ?? null,
      scoped,
      placement: description.placement ?? (scoped ? 'by_merchant' : 'coordinator'),
      claims: Object.fromEntries(
        claims.map(([name, { dueAt, leasedUntil = null, longestMs = null, condition = null }]) => [
          name,
          { dueAt: column(dueAt), leasedUntil, longestMs, condition },
        ]),
      ) as Record<Claims, ClaimDescription>,
      prunedBy: description.prunedBy === undefined ? null : column(description.prunedBy),
      prunedOnly: description.prunedOnly ?? null,
    };
  };
}

/** `root` is the table that is looked up; `with` are the others, each with its table and its key in columns of the root. */
export function view<R extends object>() {
  return <const By extends string = never>(description: {
    readonly root: { readonly [F in keyof R & string]?: Table<R[F]> };
    readonly with: {
      readonly [F in keyof R & string]?: { readonly table: Table<R[F]>; readonly on: Readonly<Record<string, string>> };
    };
    readonly foundBy?: readonly By[];
  }): View<R, By> => {
    const [[rootField, root] = []] = Object.entries(description.root) as [string, Table<unknown>][];
    if (rootField === undefined || root === undefined) throw new RangeError('a view needs a root');
    const others = Object.entries(description.with) as [
      string,
      { table: Table<unknown>; on: Record<string, string> },
    ][];
    return {
      root: { field: rootField, table: root },
      others: others.map(([field, { table, on }]) => ({
        field,
        table,
        on: Object.entries(on).map(([own, ofRoot]) => ({ own: columnOf(table, own), root: columnOf(root, ofRoot) })),
      })),
      foundBy: (description.foundBy ?? []).map((field) => columnOf(root, field)),
    };
  };
}

export function isView(source: Source): source is View<unknown> {
  return 'root' in source;
}

export function columnOf({ name, columns }: Pick<Table<unknown>, 'name' | 'columns'>, field: string): Column {
  const found = columns.find((column) => column.field === field);
  if (found === undefined) throw new RangeError(`${name} has no column for ${field}`);
  return found;
}

export function columnNames(table: Table<unknown>, alias?: string): string {
  return table.columns.map(({ name }) => (alias === undefined ? name : `${alias}.${name}`)).join(', ');
}

/** The columns that an update can change. */
export function changingColumns(table: Table<unknown>): readonly Column[] {
  return table.columns.filter((column) => !table.key.includes(column) && !table.insertedOnly.includes(column));
}

function columnName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
