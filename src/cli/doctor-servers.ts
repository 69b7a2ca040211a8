// The part of doctor that examines each PostgreSQL server. The service works as long as one accepts writes, so a wrong
// host name of another one would only be noticed in a failover.

import type { Config } from '../config.ts';
import { scrub } from '../log.ts';
import { probeServers } from '../storage/open-store.ts';
import type { ProbedServer } from '../storage/store.ts';
import type { Finding } from './doctor.ts';

export async function examineServers({ database, replicaUrl }: Config): Promise<Finding[]> {
  const [servers, replicas] = await Promise.all([
    // The storage check covers a single server.
    database.engine === 'postgres' ? probeServers(database.url, 2) : [],
    replicaUrl === null ? [] : probeServers(replicaUrl),
  ]);
  return [...servers.map(serverFinding), ...replicas.map(replicaFinding)];
}

function serverFinding(server: ProbedServer): Finding {
  const check = 'servers';
  const { name } = server;
  if ('isReplica' in server)
    return { check, ok: true, found: `${name} ${server.isReplica ? 'is a replica' : 'accepts writes'}` };
  return {
    ...{ check, ok: true, warning: true, found: `${name} cannot be used: ${scrub(server.problem)}` },
    advice:
      'check that PostgreSQL is running there, and its host and port in DATABASE_URL; until then, it cannot take over if the primary fails',
  };
}

function replicaFinding(server: ProbedServer): Finding {
  const check = 'replica';
  const { name } = server;
  if ('problem' in server) {
    return {
      ...{ check, ok: true, warning: true },
      found: `${name} cannot be used, so lists are read from the primary: ${scrub(server.problem)}`,
      advice: 'check that the replica is running and PAYDESK_REPLICA_URL is correct, or unset PAYDESK_REPLICA_URL',
    };
  }
  if (server.isReplica) return { check, ok: true, found: `${name} is a replica` };
  return {
    ...{ check, ok: true, warning: true, found: `${name} is not a replica, so lists are read from the primary` },
    advice: 'set PAYDESK_REPLICA_URL to a replica of the server in DATABASE_URL, or unset it',
  };
}
