// The head of every page: its title, which is also the window's title, and its actions.

import type { ReactNode } from 'react';

export function PageHead({
  title,
  windowTitle,
  children,
  before,
}: {
  readonly title: ReactNode;
  /** If `title` is not a text. */
  readonly windowTitle?: string;
  /** Buttons. */
  readonly children?: ReactNode;
  /** A link back to the list. */
  readonly before?: ReactNode;
}) {
  const shownTitle = windowTitle ?? (typeof title === 'string' ? title : 'Dashboard');
  return (
    <>
      <title>{`${shownTitle} · Paydesk`}</title>
      {before !== undefined && <div className="page-before">{before}</div>}
      <div className="page-head">
        <h1 className="page-title">{title}</h1>
        {children !== undefined && <div className="page-actions">{children}</div>}
      </div>
    </>
  );
}
