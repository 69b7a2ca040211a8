// The end of a list: loads the next page when it scrolls into view, or by its button. Pages without a single row are passed
// over, up to a limit: the server examined all that it examines at once, and nothing matched.

import { useEffect, useRef, useState } from 'react';
import { messageOf } from '../api/api-error.ts';
import { Button } from './button.tsx';

export interface Pages {
  readonly data: { readonly pages: readonly unknown[] } | undefined;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly isFetchNextPageError: boolean;
  readonly error: unknown;
  readonly fetchNextPage: (options: { readonly cancelRefetch: boolean }) => Promise<{ readonly isError: boolean }>;
}

/** A refetch that is on its way brings a change, which would be missed without it. The next page is loaded after it. */
const keepingRefetch = { cancelRefetch: false };

/** After so many pages in a row that brought nothing, only the button goes on. */
const maxFruitless = 10;

export function LoadMore({
  pages,
  shown,
  of,
}: {
  readonly pages: Pages;
  readonly shown: number;
  /** "payments" */
  readonly of: string;
}) {
  const end = useRef<HTMLDivElement>(null);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = pages;
  const loaded = pages.data?.pages.length ?? 0;
  const [found, setFound] = useState({ shown, loaded });
  if (found.shown !== shown) setFound({ shown, loaded });
  const fruitless = loaded - found.loaded;
  // After a failure only the button tries again: the end stays in view, and would ask without a pause.
  const isWaiting = hasNextPage && !isFetchingNextPage && !isFetchNextPageError && fruitless < maxFruitless;
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
  function loadMore(): void {
    setFound({ shown, loaded });
    fetchNextPage(keepingRefetch);
  }

  const isSearching = hasNextPage && !isFetchNextPageError && (fruitless > 0 || shown === 0);
  return (
    <div ref={end} className="list-end">
      {isFetchNextPageError && <p role="alert">{messageOf(pages.error)}</p>}
      {isSearching && (
        <p role="status">
          {fruitless < maxFruitless ? `Searching older ${of}…` : `No ${shown === 0 ? '' : 'more '}matches so far.`}
        </p>
      )}
      {hasNextPage ? (
        <Button small busy={isFetchingNextPage} onClick={loadMore}>
          {isFetchNextPageError ? 'Try again' : 'Load more'}
        </Button>
      ) : (
        <span className="faint">{shown === 1 ? '1 result' : `${shown.toLocaleString()} results`}</span>
      )}
    </div>
  );
}
