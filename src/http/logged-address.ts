// How customers' addresses appear in the log: they are personal data, and not everybody may keep them.

import { addressPrefix } from '../domain/client-network.ts';
import type { SecretBox } from '../domain/secret-box.ts';
import type { AddressLogging } from '../log.ts';

const maskedTo = { ipv4Bits: 24, ipv6Bits: 48 };
const hashLength = 16;
const maxRemembered = 1_000;

export function loggedAddress(how: AddressLogging, secretBox: SecretBox): (address: string) => string | undefined {
  if (how === 'off') return () => undefined;
  if (how === 'full') return (address) => address;
  if (how === 'masked') return remembering((address) => addressPrefix(address, maskedTo));
  // Keyed: there are few enough IPv4 addresses to try them all against a plain hash.
  return remembering((address) => secretBox.derive('logged address', address).slice(0, hashLength));
}

/** The same clients come again and again. */
function remembering(shown: (address: string) => string): (address: string) => string {
  const known = new Map<string, string>();
  return (address) => {
    const before = known.get(address);
    if (before !== undefined) return before;
    if (known.size >= maxRemembered) known.clear();
    const text = shown(address);
    known.set(address, text);
    return text;
  };
}
