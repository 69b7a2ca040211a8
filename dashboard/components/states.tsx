// What a page shows when it has nothing to show: empty, failed, or still loading. Each has the place of what it stands for.

import type { ReactNode } from 'react';
import { messageOf } from '../api/api-error.ts';
import { Button } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';

export function EmptyState({
  icon,
  title,
  children,
  action,
}: {
  readonly icon?: IconName;
  readonly title: string;
  /** What to do next. */
  readonly children: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <div className="state">
      {icon !== undefined && (
        <span className="state-icon">
          <Icon name={icon} />
        </span>
      )}
      <h2 className="state-title">{title}</h2>
      <div className="state-text">{children}</div>
      {action !== undefined && <div className="state-action">{action}</div>}
    </div>
  );
}

export function ErrorState({
  error,
  onRetry,
  retrying = false,
}: {
  readonly error: unknown;
  readonly onRetry: () => void;
  readonly retrying?: boolean;
}) {
  return (
    <div className="state" role="alert">
      <span className="state-icon state-icon-bad">
        <Icon name="alert" />
      </span>
      <h2 className="state-title">This could not be loaded</h2>
      <p className="state-text">{messageOf(error)}</p>
      <div className="state-action">
        <Button onClick={onRetry} busy={retrying}>
          Try again
        </Button>
      </div>
    </div>
  );
}

/** Above what was loaded before: it is still shown, and may have changed. */
export function OutdatedNotice({
  of: { isRefetchError, error, isFetching, refetch },
}: {
  /** From `useObject` or `useList`. */
  readonly of: {
    readonly isRefetchError: boolean;
    readonly error: unknown;
    readonly isFetching: boolean;
    readonly refetch: () => unknown;
  };
}) {
  if (!isRefetchError) return null;
  return (
    <div role="alert" className="notice notice-warn notice-apart">
      <span>This may be out of date. {messageOf(error)}</span>
      <Button small onClick={() => refetch()} busy={isFetching}>
        Try again
      </Button>
    </div>
  );
}

/** A bar in the place of a text; `width` in characters. */
export function Skeleton({ width = 12 }: { readonly width?: number }) {
  return <span className="skeleton" style={{ width: `${width}ch` }} aria-hidden="true" />;
}

export function Loading({ label = 'Loading' }: { readonly label?: string }) {
  return (
    <span role="status" className="visually-hidden">
      {label}
    </span>
  );
}
