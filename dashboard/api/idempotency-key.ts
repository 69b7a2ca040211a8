// Keys that make a repeated call harmless: the same for the same content, so that a second click or a second try after a lost
// reply creates nothing twice.

import { useRef } from 'react';

export function useIdempotencyKey(): (body: unknown) => string {
  const last = useRef<{ readonly content: string; readonly key: string } | null>(null);
  return (body) => {
    const content = JSON.stringify(body);
    if (last.current?.content !== content) last.current = { content, key: newKey() };
    return last.current.key;
  };
}

/** `crypto.randomUUID` exists only over https. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
