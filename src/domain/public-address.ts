// Which IP addresses are of the open internet. What is not plainly so is refused: a webhook may not reach into the
// network that the service itself stands in.

import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
/** NAT64's well-known prefix: what an IPv6-only host is given for a receiver that has IPv4 only. */
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** Azure's host agent: looks public, and answers every machine there with secrets of its own. */
const azureHost = ipaddr.IPv4.parseCIDR('168.63.129.16/32');

/**
 * IPv4-mapped and NAT64 addresses become the IPv4 address that they lead to, and are judged by it. The other forms that
 * hold an IPv4 address (IPv4-compatible, 6to4, Teredo, local NAT64) have no use left and count as not public.
 */
function readAddress(text: string): Address | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  // The library takes `::8.8.8.8` for IPv4-mapped, which it is not.
  if (!ipaddr.IPv6.isValid(text) || /^::\d+\./.test(text)) return null;
  const address = ipaddr.IPv6.parse(text);
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  return address.match(nat64) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address;
}

/** True for a global unicast address; false for every other, and for what is no address. */
export function isPublicAddress(text: string): boolean {
  const address = readAddress(text);
  if (address === null || address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 ? !address.match(azureHost) : address.match(globalUnicast);
}

export function isLoopbackAddress(text: string): boolean {
  return readAddress(text)?.range() === 'loopback';
}

/** `networks` as the settings hold them: `10.0.0.0/8`, or an address alone. */
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
