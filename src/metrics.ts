// What operators watch: Prometheus metrics, on an address of their own.

import { createServer, type Server } from 'node:http';
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

export interface Metrics {
  readonly registry: Registry;
  observeRequest(method: string, route: string, status: number, seconds: number): void;
  countRateLimited(): void;
  countExpiredSessions(count: number): void;
  countCommit(outcome: string): void;
  countCspReport(): void;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'paydesk_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const rateLimited = new Counter({
    name: 'paydesk_rate_limited_requests_total',
    help: 'Requests refused with 429.',
    registers: [registry],
  });
  const expired = new Counter({
    name: 'paydesk_expired_sessions_total',
    help: 'Checkout sessions whose time came.',
    registers: [registry],
  });
  const commits = new Counter({
    name: 'paydesk_commits_total',
    help: 'Change sets by outcome: committed, or the conflict that they met.',
    labelNames: ['outcome'] as const,
    registers: [registry],
  });
  const cspReports = new Counter({
    name: 'paydesk_csp_reports_total',
    help: 'Reports of a page that broke its content security policy.',
    registers: [registry],
  });
  // One child a combination, made once: looking labels up on every request costs more than observing.
  const children = new Map<string, { observe(value: number): void }>();
  return {
    registry,
    observeRequest(method, route, status, seconds) {
      const key = `${method} ${route} ${status}`;
      let child = children.get(key);
      if (child === undefined) {
        child = requests.labels(method, route, String(status));
        children.set(key, child);
      }
      child.observe(seconds);
    },
    countRateLimited: () => rateLimited.inc(),
    countExpiredSessions: (count) => expired.inc(count),
    countCommit: (outcome) => commits.inc({ outcome }),
    countCspReport: () => cspReports.inc(),
  };
}

export function metricsServer(metrics: Metrics): Server {
  return createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end('The metrics are at /metrics.\n');
      return;
    }
    metrics.registry.metrics().then(
      (text) => response.writeHead(200, { 'Content-Type': metrics.registry.contentType }).end(text),
      (error: Error) => response.writeHead(500).end(`${error.message}\n`),
    );
  });
}
