// Who a request came from, where proxies stand in between: only what trusted ones say is believed.

import { BlockList, isIP } from 'node:net';

export function clientAddress(trustedNetworks: readonly string[]): (remote: string, forwardedFor: unknown) => string {
  if (trustedNetworks.length === 0) return (remote) => remote;
  const trusted = new BlockList();
  for (const network of trustedNetworks) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    trusted.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family);
  }
  const isTrusted = (address: string): boolean => trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

  /** From the nearest hop outward, to the first that is not a trusted proxy. */
  return (remote, forwardedFor) => {
    const hops = String(forwardedFor ?? '')
      .split(',')
      .map((hop) => hop.trim())
      .filter((hop) => isIP(hop) !== 0);
    let client = remote;
    for (let hop = hops.pop(); hop !== undefined && isTrusted(client); hop = hops.pop()) client = hop;
    return client;
  };
}
