// What is shown in place of a page: while its code loads, when that fails, and where there is none.

import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';
import { isTemporary } from '../api/api-error.ts';
import { PageHead } from '../components/page-head.tsx';
import { EmptyState, ErrorState, Loading } from '../components/states.tsx';

export function PendingPage() {
  return (
    <div className="page-pending">
      <Loading />
    </div>
  );
}

/** Without a session, there are no live updates that would tell when the server is back. */
const retryMs = 3_000;

export function FailedPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = useCallback(() => {
    reset();
    router.invalidate();
  }, [reset, router]);
  const isPassing = isTemporary(error);
  useEffect(() => {
    if (!isPassing) return;
    const timer = setInterval(retry, retryMs);
    return () => clearInterval(timer);
  }, [isPassing, retry]);
  return (
    <div className="page-alone">
      <ErrorState error={error} onRetry={retry} />
    </div>
  );
}

export function NotFoundPage() {
  return (
    <main className="page-alone">
      <PageHead title="Page not found" />
      <EmptyState title="There is nothing at this address">
        <Link to="/">Go to Home</Link>
      </EmptyState>
    </main>
  );
}
