// Whether the process is alive, and whether it can serve.

import type { FastifyInstance } from 'fastify';
import type { Store } from '../storage/store.ts';

export function serveHealth(server: FastifyInstance, store: Store, version: string): void {
  server.get('/healthz', async () => ({ status: 'ok', version }));
  server.get('/readyz', async (_request, reply) => {
    try {
      await store.check();
      return { status: 'ready' };
    } catch (error) {
      return reply.code(503).send({ status: 'not_ready', problem: (error as Error).message });
    }
  });
}
