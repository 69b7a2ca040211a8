// Where a provider sends the customer. The address comes from a response, so it is checked: nothing that a browser would
// execute, and nobody is sent over an unencrypted connection, except on this machine.

import { isEncryptedOrLocal } from './loopback.ts';

/** Null if the customer must not be sent there. */
export function customerUrl(text: string | null): string | null {
  const url = text === null ? null : URL.parse(text);
  return url !== null && isEncryptedOrLocal(url) ? url.href : null;
}
