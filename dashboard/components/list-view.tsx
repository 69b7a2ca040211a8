// A list with all its states: loading, failed, empty, and rows with further pages.

import type { ReactNode } from 'react';
import type { List } from '../api/types.ts';
import { type Column, DataTable } from './data-table.tsx';
import { LoadMore, type Pages } from './load-more.tsx';
import { ErrorState, OutdatedNotice } from './states.tsx';

export interface LoadedList<Item> extends Pages {
  readonly data: { readonly pages: readonly List<Item>[] } | undefined;
  readonly isError: boolean;
  readonly isFetching: boolean;
  readonly isRefetchError: boolean;
  readonly refetch: () => unknown;
}

export function ListView<Item extends { readonly id: string }>({
  label,
  list,
  columns,
  empty,
  stacked = false,
}: {
  readonly label: string;
  /** From `useList`. */
  readonly list: LoadedList<Item>;
  readonly columns: readonly Column<Item>[];
  /** Says what to do next. */
  readonly empty: ReactNode;
  /** As of `DataTable`. */
  readonly stacked?: boolean;
}) {
  const rows = list.data?.pages.flatMap(({ data }) => data);
  if (rows === undefined && list.isError)
    return <ErrorState error={list.error} onRetry={list.refetch} retrying={list.isFetching} />;
  // The server examines a bounded number of rows for a page, so that there may be matches although the first pages have none.
  if (rows?.length === 0 && !list.hasNextPage)
    return (
      <>
        <OutdatedNotice of={list} />
        {empty}
      </>
    );
  return (
    <>
      <OutdatedNotice of={list} />
      {rows?.length !== 0 && (
        <DataTable label={label} columns={columns} rows={rows} rowKey={({ id }) => id} stacked={stacked} />
      )}
      {rows !== undefined && <LoadMore pages={list} shown={rows.length} of={label.toLowerCase()} />}
    </>
  );
}
