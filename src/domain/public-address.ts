// Tells which IP addresses are on the public internet. In doubt an address is not: a webhook must not reach into the
// network that the service runs in.

import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
/** NAT64's well-known prefix: how an IPv6-only host reaches an IPv4-only receiver. */
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** Azure's host agent: looks public, but serves secrets to every machine there. */
const azureHost = ipaddr.IPv4.parseCIDR('168.63.129.16/32');

/**
 * IPv4-mapped and NAT64 addresses are treated as the IPv4 address they lead to. The other forms that contain an IPv4
 * address (IPv4-compatible, 6to4, Teredo, local NAT64) are obsolete and count as not public.
 */
function readAddress(text: string): Address | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  // The library mistakes `::8.8.8.8` for an IPv4-mapped address.
  if (!ipaddr.IPv6.isValid(text) || /^::\d+\./.test(text)) return null;
  const address = ipaddr.IPv6.parse(text);
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  return address.match(nat64) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address;
}

/** True for a global unicast address; false for any other text. */
export function isPublicAddress(text: string): boolean {
  const address = readAddress(text);
  if (address === null || address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 ? !address.match(azureHost) : address.match(globalUnicast);
}

export function isLoopbackAddress(text: string): boolean {
  return readAddress(text)?.range() === 'loopback';
}

/** `networks` as in the settings: `10.0.0.0/8`, or a single address. */
export function inNetworks(networks: readonly string[]): (text: string) => boolean {
  const parsed = networks.map(readNetwork);
  return (text) => {
    const address = readAddress(text);
    return address !== null && parsed.some(([base, bits]) => matches(address, base, bits));
  };
}

function readNetwork(text: string): Network {
  const [base = '', bits] = text.split('/');
  const address = ipaddr.parse(base);
  return [address, bits === undefined ? address.toByteArray().length * 8 : Number(bits)];
}

function matches(address: Address, base: Address, bits: number): boolean {
  return address.kind() === base.kind() && address.match(base, bits);
}
