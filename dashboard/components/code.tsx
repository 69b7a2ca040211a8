// JSON with syntax colours. The text is split into tokens and rendered as text, so nothing in it can become markup.

import type { ReactNode } from 'react';
import { CopyButton } from './copy-id.tsx';

const tokens =
  /(?<name>"(?:[^"\\]|\\.)*")(?=\s*:)|(?<string>"(?:[^"\\]|\\.)*")|(?<number>-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b)|(?<word>\btrue\b|\bfalse\b|\bnull\b)/g;

/** Longer texts are shown without colours: thousands of elements would make the page slow. */
const maxColoured = 60_000;

function coloured(text: string): ReactNode {
  if (text.length > maxColoured) return text;
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(tokens)) {
    const kind = Object.entries(match.groups ?? {}).find(([, value]) => value !== undefined)?.[0];
    parts.push(text.slice(end, match.index));
    parts.push(
      <span key={match.index} className={`token-${kind}`}>
        {match[0]}
      </span>,
    );
    end = match.index + match[0].length;
  }
  parts.push(text.slice(end));
  return parts;
}

/** What scrolls must be reachable by keyboard. */
const focusable = { tabIndex: 0 } as const;

export function Code({
  value,
  label,
}: {
  /** A text is shown as it is, anything else as JSON. */
  readonly value: unknown;
  /** What it is, for screen readers and the copy button: "payload". */
  readonly label: string;
}) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return (
    <div className="code">
      <div className="code-copy">
        <CopyButton text={text} label={`Copy ${label}`} />
      </div>
      <section {...focusable} aria-label={label} className="code-scroll">
        <pre>
          <code>{coloured(text)}</code>
        </pre>
      </section>
    </div>
  );
}
