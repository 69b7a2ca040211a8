// The server for operators: metrics, and readiness with the reason if the service is not ready.

import { createServer, type Server } from 'node:http';
import type { Metrics } from '../metrics.ts';
import { guardConnections } from './connections.ts';
import type { Readiness } from './health.ts';
import { type Listening, listening } from './listening.ts';
import { json } from './route.ts';

export function metricsServer(metrics: Metrics, ready: () => Promise<Readiness>): Listening {
  const server: Server = createServer((request, response) => {
    const connection = connections.of(request.socket);
    if (connection !== undefined) connection.latest = response;
    const failed = (error: Error): void => {
      response.writeHead(500).end(`${error.message}\n`);
    };
    if (request.url === '/metrics') {
      metrics.registry.metrics().then((text) => {
        response.writeHead(200, { 'Content-Type': metrics.registry.contentType }).end(text);
      }, failed);
    } else if (request.url === '/readyz') {
      ready().then((readiness) => {
        response.writeHead(readiness.status === 'ready' ? 200 : 503, { 'Content-Type': json });
        response.end(JSON.stringify(readiness));
      }, failed);
    } else response.writeHead(404).end('Metrics are at /metrics, readiness is at /readyz.\n');
  });
  const connections = guardConnections(server, {
    onBadRequest(_error, { socket }) {
      if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      else socket.destroy();
    },
  });
  return listening(server, connections);
}
