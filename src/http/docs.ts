// The API's description: the document at /openapi.json, and a page to read it at /docs.

import scalar from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';

export async function serveDocs(server: FastifyInstance, document: Record<string, unknown>): Promise<void> {
  const json = JSON.stringify(document);
  server.get('/openapi.json', (_request, reply) => {
    reply.header('Content-Type', 'application/json; charset=utf-8').send(json);
  });
  server.get('/', (_request, reply) => reply.redirect('/docs'));
  await server.register(scalar, { routePrefix: '/docs', configuration: { content: document } });
}
