// Idempotency keys, which make a repeated call harmless.

import { useRef } from 'react';

/** The same key for the same content, so that a second click or a second try after a lost reply creates nothing twice. */
export function useIdempotencyKey(): (body: unknown) => string {
  const last = useRef<{ readonly content: string; readonly key: string } | null>(null);
  return (body) => {
    const content = JSON.stringify(body);
    if (last.current?.content !== content) last.current = { content, key: newIdempotencyKey() };
    return last.current.key;
  };
}

/** A UUID of version 4. `crypto.randomUUID` exists only where the connection is secure. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
