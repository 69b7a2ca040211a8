// What is shown in place of a page: while its code loads, when that fails, and where there is none.

import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { PageHead } from '../components/page-head.tsx';
import { EmptyState, ErrorState, Loading } from '../components/states.tsx';

export function PendingPage() {
  return (
    <div className="page-pending">
      <Loading />
    </div>
  );
}

export function FailedPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <div className="page-alone">
      <ErrorState
        error={error}
        onRetry={() => {
          reset();
          router.invalidate();
        }}
      />
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
