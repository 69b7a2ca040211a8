// Ids and other texts with a copy button.

import { useEffect, useState } from 'react';
import { Icon } from './icon.tsx';

export function CopyId({ id, label }: { readonly id: string; readonly label?: string }) {
  return (
    <span className="copy-id">
      <code>{id}</code>
      <CopyButton text={id} label={label ?? `Copy ${id}`} />
    </span>
  );
}

const shownForMs = 1_500;

export function CopyButton({
  text,
  label,
  words,
}: {
  readonly text: string;
  readonly label: string;
  /** Shown beside the icon. */
  readonly words?: string;
}) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null);
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), shownForMs);
    return () => clearTimeout(timer);
  }, [outcome]);

  function copy(): void {
    // Only where the connection is secure do browsers offer the clipboard.
    const writing = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('there is no clipboard'));
    writing.then(
      () => setOutcome('copied'),
      () => setOutcome('failed'),
    );
  }
  const said = outcome === 'copied' ? 'Copied' : outcome === 'failed' ? 'Could not copy' : '';
  return (
    <>
      <button
        type="button"
        className={words === undefined ? 'icon-button icon-button-small' : 'button button-plain button-small'}
        aria-label={words === undefined ? label : undefined}
        title={words === undefined ? said || 'Copy' : undefined}
        onClick={copy}
      >
        <Icon name={outcome === 'copied' ? 'check' : outcome === 'failed' ? 'alert' : 'copy'} />
        {words}
      </button>
      <span role="status" className="visually-hidden">
        {said}
      </span>
    </>
  );
}
