// The server for operators: metrics, and readiness with the reason if the service is not ready.

import { createServer, type Server } from 'node:http';
import type { Logger } from '../log.ts';
import { guardConnections } from './connections.ts';
import type { Readiness } from './health.ts';
import { type Listening, listening } from './listening.ts';
import { json } from './route.ts';

export interface MetricsSource {
  readonly contentType: string;
  /** In the format of Prometheus. */
  metrics(): Promise<string>;
}

export function metricsServer(source: MetricsSource, ready: () => Promise<Readiness>): Listening {
  const server: Server = createServer((request, response) => {
    const connection = connections.of(request.socket);
    if (connection !== undefined) connection.latest = response;
    const failed = (error: Error): void => {
      response.writeHead(500).end(`${error.message}\n`);
    };
    if (request.url === '/metrics') {
      source.metrics().then((text) => {
        response.writeHead(200, { 'Content-Type': source.contentType }).end(text);
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

/** Metrics must not prevent payments: an address in use is reported, and the service runs without metrics. */
export async function listenForMetrics(
  server: Listening,
  address: { readonly host: string; readonly port: number } | null,
  log: Logger,
): Promise<string | null> {
  if (address === null) return null;
  const { host, port } = address;
  try {
    return await server.listen(host, port);
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw err;
    log.error(`metrics are off: ${host}:${port} is in use. Set PAYDESK_METRICS_ADDRESS to a free address.`);
    return null;
  }
}
