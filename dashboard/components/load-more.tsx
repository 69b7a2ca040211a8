// The end of a list: loads the next page when it scrolls into view, or by its button.

import { useEffect, useRef } from 'react';
import { messageOf } from '../api/api-error.ts';
import { Button } from './button.tsx';

export interface Pages {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly isFetchNextPageError: boolean;
  readonly error: unknown;
  readonly fetchNextPage: (options: { readonly cancelRefetch: boolean }) => Promise<{ readonly isError: boolean }>;
}

/** A refetch that is on its way brings a change, which would be missed without it. The next page is loaded after it. */
const keepingRefetch = { cancelRefetch: false };

export function LoadMore({ pages, shown }: { readonly pages: Pages; readonly shown: number }) {
  const end = useRef<HTMLDivElement>(null);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = pages;
  // After a failure only the button tries again: the end stays in view, and would ask without a pause.
  const isWaiting = hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  useEffect(() => {
    const element = end.current;
    if (element === null || !isWaiting) return;
    const observer = new IntersectionObserver(loadIfInView, { rootMargin: '400px' });
    let hasEnded = false;
    async function loadIfInView(entries: readonly IntersectionObserverEntry[]): Promise<void> {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      const { isError } = await fetchNextPage(keepingRefetch);
      if (isError || hasEnded || element === null) return;
      // Observed again, it reports whether the end is still in view, as it is if the list was only refetched.
      observer.unobserve(element);
      observer.observe(element);
    }
    observer.observe(element);
    return () => {
      hasEnded = true;
      observer.disconnect();
    };
  }, [isWaiting, fetchNextPage]);

  return (
    <div ref={end} className="list-end">
      {isFetchNextPageError && <p role="alert">{messageOf(pages.error)}</p>}
      {hasNextPage ? (
        <Button small busy={isFetchingNextPage} onClick={() => fetchNextPage(keepingRefetch)}>
          {isFetchNextPageError ? 'Try again' : 'Load more'}
        </Button>
      ) : (
        <span className="faint">{shown === 1 ? '1 result' : `${shown.toLocaleString()} results`}</span>
      )}
    </div>
  );
}
