// A status in a word. Colour only repeats what the word says.

import type { ReactNode } from 'react';

export type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'neutral';

export function Badge({ tone = 'neutral', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <span className={`badge badge-${tone}`}>{children}</span>;
}
