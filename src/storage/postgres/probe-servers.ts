// Connects to each server that an address names, also to those that are not in use.

import { postgresServers } from '../server-urls.ts';
import type { ProbedServer } from '../store.ts';
import { findPrimary } from './primary.ts';
import { limitedQuery } from './query-deadline.ts';

/** As the service waits for each of several servers. */
const timeoutMs = 2_000;

/** In the given order. None if the address names fewer than `atLeast`. */
export async function probeServers(url: string, atLeast: number): Promise<ProbedServer[]> {
  const { servers } = postgresServers(url);
  if (servers.length < atLeast) return [];
  return Promise.all(
    servers.map(async ({ name, url }) => {
      try {
        return { name, isReplica: await isReplica(url) };
      } catch (error) {
        // If none of several addresses of a name responds, the error has only a code.
        const { message, code } = error as NodeJS.ErrnoException;
        return { name, problem: message || code || 'no reason' };
      }
    }),
  );
}

async function isReplica(url: string): Promise<boolean> {
  const client = await findPrimary(url).connect({
    application_name: 'paydesk doctor',
    connectionTimeoutMillis: timeoutMs,
  });
  try {
    const question = limitedQuery('SELECT pg_is_in_recovery() AS replica', timeoutMs);
    const { rows } = await client.query<{ replica: boolean }>(question);
    return rows[0]?.replica === true;
  } finally {
    await client.end();
  }
}
