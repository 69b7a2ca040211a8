// Who counts as one customer: one spelling for each address, and the network that limits are counted by. Whoever has an
// IPv6 address has a whole /64 of them.

import ipaddr from 'ipaddr.js';
import { readAddress } from './public-address.ts';

const countedBits = 64;

/**
 * One spelling for each address, null for what is none. IPv4 addresses inside IPv6 (`::ffff:…`, NAT64) are the IPv4
 * address; the zone of a link-local address (`%eth0`) is left out.
 */
export function canonicalAddress(text: string): string | null {
  const zone = text.indexOf('%');
  return readAddress(zone === -1 ? text : text.slice(0, zone))?.toString() ?? null;
}

/** What an address is counted by: IPv4 as it is, IPv6 by its /64. What is no address counts as it is. */
export function clientNetwork(address: string): string {
  if (!address.includes(':')) return address;
  return addressPrefix(address, { ipv4Bits: 32, ipv6Bits: countedBits });
}

/** An address without its last bits: `203.0.113.0/24`. Whole where all bits are kept. */
export function addressPrefix(address: string, bits: { readonly ipv4Bits: number; readonly ipv6Bits: number }): string {
  const canonical = canonicalAddress(address);
  if (canonical === null) return address;
  const parsed = ipaddr.parse(canonical);
  const bytes = parsed.toByteArray();
  const kept = bytes.length === 4 ? bits.ipv4Bits : bits.ipv6Bits;
  if (kept === bytes.length * 8) return canonical;
  // All that is asked for ends at a byte.
  const base = ipaddr.fromByteArray(bytes.map((byte, at) => (at * 8 < kept ? byte : 0)));
  return `${base.toString()}/${kept}`;
}
