// Detects a pooler such as PgBouncer in transaction mode. With one, nothing may depend on the session: no prepared
// statements, settings, session locks or LISTEN. A pooler in session mode needs no special treatment.

import type pg from 'pg';

const rounds = 3;

/**
 * The server's process answers with its own id, and announces it when a connection is made; a pooler announces an id of
 * its own. In session mode, no two open connections share a server process, and each keeps its own.
 */
export async function isTransactionPooled(client: pg.Client, connect: () => Promise<pg.Client>): Promise<boolean> {
  const own = await processOf(client);
  if (own === announcedTo(client)) return false;
  const other = await connect();
  try {
    for (let round = 0; round < rounds; round++) {
      if ((await processOf(client)) !== own) return true;
      await other.query('BEGIN');
      const taken = await processOf(other);
      const kept = await processOf(client);
      await other.query('COMMIT');
      if (taken === own || kept !== own) return true;
    }
    return false;
  } finally {
    await other.end();
  }
}

async function processOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return Number(rows[0]?.pid);
}

function announcedTo(client: pg.Client): number | null {
  return (client as pg.Client & { readonly processID?: number | null }).processID ?? null;
}
