// A page about one object: while it loads, when that fails, when it does not exist, and when it is there.

import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError } from '../api/api-error.ts';
import { Icon } from './icon.tsx';
import { PageHead } from './page-head.tsx';
import { EmptyState, ErrorState, Loading, OutdatedNotice, Skeleton } from './states.tsx';

export interface LoadedObject<Item> {
  readonly data: Item | undefined;
  readonly error: unknown;
  readonly isFetching: boolean;
  readonly isRefetchError: boolean;
  readonly refetch: () => unknown;
}

interface ListLink {
  readonly to: NonNullable<LinkProps['to']>;
  readonly label: string;
}

export function BackLink({ to, label }: ListLink) {
  return (
    <Link to={to} className="back-link">
      <Icon name="back" />
      {label}
    </Link>
  );
}

/** The object does not exist, or could not be loaded. */
export function MissingObject({
  object: { error, isFetching, refetch },
  kind,
  list,
}: {
  readonly object: LoadedObject<unknown>;
  /** "Payment link" */
  readonly kind: string;
  readonly list: ListLink;
}) {
  return (
    <>
      <PageHead title={kind} before={<BackLink {...list} />} />
      {error instanceof ApiError && error.status === 404 ? (
        <EmptyState icon="search" title={`There is no such ${kind.toLowerCase()}`}>
          It may belong to another merchant, or to the other mode: check the switch “Test mode”.
        </EmptyState>
      ) : (
        <ErrorState error={error} onRetry={refetch} retrying={isFetching} />
      )}
    </>
  );
}

export function ObjectView<Item>({
  object,
  kind,
  list,
  children,
}: {
  /** From `useObject`. */
  readonly object: LoadedObject<Item>;
  /** "Payment link" */
  readonly kind: string;
  readonly list: ListLink;
  readonly children: (item: Item) => ReactNode;
}) {
  const { data, error } = object;
  if (data !== undefined)
    return (
      <>
        <OutdatedNotice of={object} />
        {children(data)}
      </>
    );
  if (error !== null && error !== undefined) return <MissingObject object={object} kind={kind} list={list} />;
  return (
    <>
      <PageHead title={<Skeleton width={14} />} windowTitle={kind} before={<BackLink {...list} />} />
      <Loading />
      <div className="card stack">
        {[18, 26, 22, 30, 20].map((width) => (
          <Skeleton key={width} width={width} />
        ))}
      </div>
    </>
  );
}
