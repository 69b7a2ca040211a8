// Short confirmations at the edge of the window. Announced politely, gone after a few seconds; never the only place where
// something is said.

import { useEffect, useSyncExternalStore } from 'react';
import { isDismissed, messageOf } from '../api/api-error.ts';
import { Icon } from './icon.tsx';

interface Toast {
  readonly id: number;
  readonly tone: 'good' | 'bad';
  readonly text: string;
}

const shownForMs = 5_000;
const maxShown = 3;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

export function toast(text: string, tone: Toast['tone'] = 'good'): void {
  lastId += 1;
  change([...toasts, { id: lastId, tone, text }].slice(-maxShown));
}

/** What went wrong, where there is no form to say it. */
export function toastFailure(error: unknown): void {
  if (!isDismissed(error)) toast(messageOf(error), 'bad');
}

function close(id: number): void {
  change(toasts.filter((one) => one.id !== id));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div className="toasts" role="status">
      {shown.map((one) => (
        <ToastMessage key={one.id} toast={one} />
      ))}
    </div>
  );
}

function ToastMessage({ toast: { id, tone, text } }: { readonly toast: Toast }) {
  useEffect(() => {
    const timer = setTimeout(() => close(id), shownForMs);
    return () => clearTimeout(timer);
  }, [id]);
  return (
    <div className={`toast toast-${tone}`}>
      <Icon name={tone === 'good' ? 'check' : 'alert'} />
      <span>{text}</span>
      <button type="button" className="icon-button icon-button-small" aria-label="Dismiss" onClick={() => close(id)}>
        <Icon name="close" />
      </button>
    </div>
  );
}
