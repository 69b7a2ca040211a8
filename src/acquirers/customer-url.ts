// Where a provider sends the customer. The address comes from a response, so it is checked: nothing that a browser would
// execute, and nobody is sent over an unencrypted connection, except on this machine.

import { isLoopbackUrl } from './loopback.ts';

/** Null if the customer must not be sent there. */
export function customerUrl(text: string | null): string | null {
  const url = text === null ? null : URL.parse(text);
  if (url === null) return null;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackUrl(url.href)) ? url.href : null;
}
