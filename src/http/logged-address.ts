// How client addresses appear in the log. They are personal data, which not every operator may keep.

import type { AuditEntry } from '../domain/audit-entry.ts';
import { addressPrefix } from '../domain/client-network.ts';
import type { SecretBox } from '../domain/secret-box.ts';
import type { AddressLogging } from '../log.ts';

const maskedTo = { ipv4Bits: 24, ipv6Bits: 48 };
const hashLength = 16;
const maxRemembered = 1_000;

export function loggedAddress(mode: AddressLogging, secretBox: SecretBox): (address: string) => string | undefined {
  if (mode === 'off') return () => undefined;
  if (mode === 'full') return (address) => address;
  if (mode === 'masked') return cached((address) => addressPrefix(address, maskedTo));
  // Keyed, because there are few enough IPv4 addresses to try them all against a plain hash.
  return cached((address) => secretBox.derive('logged address', address).slice(0, hashLength));
}

/** Caches results, since the same clients keep coming back. */
function cached(shown: (address: string) => string): (address: string) => string {
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

/** An audit entry without e-mail addresses: users are known by their ids. */
export function loggedEntry(
  { email: _, ip, details: { email: __, ...details }, ...entry }: AuditEntry,
  shown: (address: string) => string | undefined,
) {
  return { ...entry, details, ...(ip === null ? {} : { address: shown(ip) }) };
}
