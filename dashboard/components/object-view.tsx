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
  const { data, error, isFetching, refetch } = object;
  if (data !== undefined)
    return (
      <>
        <OutdatedNotice of={object} />
        {children(data)}
      </>
    );
  const before = <BackLink {...list} />;
  if (error instanceof ApiError && error.status === 404) {
    return (
      <>
        <PageHead title={`${kind} not found`} before={before} />
        <EmptyState title="There is nothing with this id">
          It may belong to another merchant, or to the other mode: check the switch “Test mode”.
        </EmptyState>
      </>
    );
  }
  if (error !== null && error !== undefined) {
    return (
      <>
        <PageHead title={kind} before={before} />
        <ErrorState error={error} onRetry={refetch} retrying={isFetching} />
      </>
    );
  }
  return (
    <>
      <PageHead title={<Skeleton width={14} />} windowTitle={kind} before={before} />
      <Loading />
      <div className="card stack">
        {[18, 26, 22, 30, 20].map((width) => (
          <Skeleton key={width} width={width} />
        ))}
      </div>
    </>
  );
}
