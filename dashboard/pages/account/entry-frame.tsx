// The frame of the pages that are shown without a session: one card in the middle.

import type { ReactNode } from 'react';

export function EntryFrame({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <main className="entry">
      <title>{`${title} · Paydesk`}</title>
      <div className="entry-brand">
        <Mark />
        Paydesk
      </div>
      <div className="entry-card">
        <h1 className="entry-title">{title}</h1>
        {children}
      </div>
    </main>
  );
}

function Mark() {
  return (
    <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
      <rect width="32" height="32" rx="7" className="mark-ground" />
      <path d="M10 25V7h8a6 6 0 0 1 0 12h-8" className="mark-letter" />
    </svg>
  );
}
