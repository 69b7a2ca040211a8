// Finds the addresses of a host name without letting a name server that hangs hold up others: the system's own look-up
// has two threads for all of them, so public names are asked for over sockets, and only what that does not find (the
// hosts file, names of the local network) is left to the system.

import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { isInternalName } from '../domain/webhook-address.ts';

/** All addresses of a name. Rejects if there are none. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

/** Doubles with each try: 4.5 s in all. */
const tryMs = 1_500;
const tries = 2;
/** Answers, and quick ones; a name server that is silent has other codes. */
const notFound: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED']);

export function lookupAddresses(nameServers?: readonly string[]): Lookup {
  return async (written) => {
    // The hosts file has no dots at the end.
    const hostname = written.replace(/\.$/, '');
    if (isInternalName(hostname)) return bySystem(hostname);
    const answers = await bySockets(hostname, nameServers);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const silence = answers.find((answer) => answer.status === 'rejected' && !notFound.has(answer.reason.code));
    if (silence?.status === 'rejected') throw silence.reason;
    return bySystem(hostname);
  };
}

/** A resolver for each look-up, so that a changed `resolv.conf` is read. IPv4 first: where there is no IPv6 it works. */
function bySockets(hostname: string, nameServers?: readonly string[]): Promise<PromiseSettledResult<string[]>[]> {
  const resolver = new Resolver({ timeout: tryMs, tries });
  if (nameServers !== undefined) resolver.setServers(nameServers);
  return Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
}

async function bySystem(hostname: string): Promise<string[]> {
  return (await systemLookup(hostname, { all: true })).map(({ address }) => address);
}
