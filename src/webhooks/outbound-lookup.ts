// Resolves host names without letting a hanging name server delay others. The system's lookup has only two threads, which
// the whole process shares, so public names are resolved over sockets. Only names not found that way (the hosts file, the
// local network) are left to the system, one at a time: a name server can answer the first query and then go silent.

import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { isInternalName } from '../domain/webhook-address.ts';

/** All addresses of a name. Rejects if there are none. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

/** Doubles with each try: 4.5 s in total. */
const tryMs = 1_500;
const tries = 2;
/** Definite, quick responses; a silent name server causes other codes. */
const notFound: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED']);

/** Whoever has waited longer has given up. */
const maxWaitMs = 5_000;

const bySystem = oneAtATime(async (hostname) =>
  (await systemLookup(hostname, { all: true })).map(({ address }) => address),
);

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

/** Whoever asks for a name that is being looked up gets the same result. */
export function oneAtATime(lookup: Lookup, longestWaitMs: number = maxWaitMs): Lookup {
  const results = new Map<string, Promise<readonly string[]>>();
  let last: Promise<unknown> = Promise.resolve();
  return (hostname) => {
    const known = results.get(hostname);
    if (known !== undefined) return known;
    const askedAt = performance.now();
    const result = last.then(() => {
      if (performance.now() - askedAt > longestWaitMs)
        throw Object.assign(new Error(`${hostname} was not looked up: other names took too long`), {
          code: 'EAI_AGAIN',
        });
      return lookup(hostname);
    });
    results.set(hostname, result);
    last = result.catch(() => {}).finally(() => results.delete(hostname));
    return result;
  };
}
