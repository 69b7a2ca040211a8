// Which merchant and mode this tab works in. Each tab keeps its own, so that live and test data can be open side by side; the
// server remembers the last choice for new tabs.

import { useSyncExternalStore } from 'react';
import type { Mode, SignedIn } from './types.ts';

export interface Scope {
  readonly merchant: string;
  readonly mode: Mode;
}

const storageKey = 'paydesk.scope';
const listeners = new Set<() => void>();
let current: Scope | null = null;

export function currentScope(): Scope | null {
  return current;
}

export function setScope(scope: Scope | null): void {
  current = scope;
  if (scope === null) sessionStorage.removeItem(storageKey);
  else sessionStorage.setItem(storageKey, JSON.stringify(scope));
  for (const listener of listeners) listener();
}

/** The tab's scope, if the user still belongs to that merchant, else the session's. */
export function adoptScope(session: SignedIn): void {
  const wanted = current ?? storedScope();
  const isMember = session.merchants.some(({ id }) => id === wanted?.merchant);
  const scope = wanted !== null && isMember ? wanted : { merchant: session.merchant, mode: session.mode };
  if (current?.merchant !== scope.merchant || current.mode !== scope.mode) setScope(scope);
}

export function useScope(): Scope | null {
  return useSyncExternalStore(subscribe, currentScope);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function storedScope(): Scope | null {
  const text = sessionStorage.getItem(storageKey);
  if (text === null) return null;
  const { merchant, mode } = JSON.parse(text) as Partial<Scope>;
  return typeof merchant === 'string' && (mode === 'test' || mode === 'live') ? { merchant, mode } : null;
}
