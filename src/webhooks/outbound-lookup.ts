// Resolves host names without letting a hanging name server delay others. The system's lookup has only two threads, so
// public names are resolved over sockets; only names not found that way (the hosts file, the local network) are left to
// the system.

import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { isInternalName } from '../domain/webhook-address.ts';

/** All addresses of a name. Rejects if there are none. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

/** Doubles with each try: 4.5 s in total. */
const tryMs = 1_500;
const tries = 2;
/** Definite, quick responses; a silent name server causes other codes. */
const notFound: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED']);

export function lookupAddresses(nameServers?: readonly string[]): Lookup {
  return async (rawHostname) => {
    // Names in the hosts file have no trailing dot.
    const hostname = rawHostname.replace(/\.$/, '');
    if (isInternalName(hostname)) return bySystem(hostname);
    const results = await bySockets(hostname, nameServers);
    const addresses = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    if (addresses.length > 0) return addresses;
    const failed = results.find((result) => result.status === 'rejected' && !notFound.has(result.reason.code));
    if (failed?.status === 'rejected') throw failed.reason;
    return bySystem(hostname);
  };
}

/**
 * A new resolver for each lookup, so that changes to `resolv.conf` are noticed. IPv4 first, because it works without
 * IPv6.
 */
function bySockets(hostname: string, nameServers?: readonly string[]): Promise<PromiseSettledResult<string[]>[]> {
  const resolver = new Resolver({ timeout: tryMs, tries });
  if (nameServers !== undefined) resolver.setServers(nameServers);
  return Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
}

async function bySystem(hostname: string): Promise<string[]> {
  return (await systemLookup(hostname, { all: true })).map(({ address }) => address);
}
