// The HTTP server alone, with routes defined by the test.

import { randomBytes } from 'node:crypto';
import { refuse } from '../../src/domain/errors.ts';
import { errorReply } from '../../src/http/error-reply.ts';
import type { Route } from '../../src/http/route.ts';
import { createServer, type ServerLimits } from '../../src/http/server.ts';
import { loggingTo } from '../../src/log.ts';
import { createMetrics } from '../../src/metrics.ts';
import type { Fields } from './api-client.ts';
import type { CleansUp } from './engines.ts';

export interface BareHttp {
  readonly url: string;
  logLines(): Fields[];
  metrics(): Promise<string>;
  stop(graceMs?: number): Promise<void>;
}

export async function serveRoutes(
  test: CleansUp,
  routes: readonly Route[],
  limits: Partial<ServerLimits> = {},
): Promise<BareHttp> {
  const lines: string[] = [];
  const { log, logRequest } = loggingTo('trace', { write: (line: string) => lines.push(line) });
  const metrics = createMetrics();
  const server = createServer({
    ...{ log, logRequest, metrics, routes, limits },
    clock: { now: () => Date.now() },
    random: randomBytes,
    trustedProxies: [],
    watchClient: () => {},
    loggedAddress: () => undefined,
    notFound: ({ requestId }) => errorReply(refuse('route_not_found', 'There is nothing at this path.'), requestId),
  });
  const url = await server.listen('127.0.0.1', 0);
  const stop = async (graceMs = 0): Promise<void> => {
    await server.grace(graceMs);
    await server.close();
  };
  test.after(() => stop());
  return {
    url,
    logLines: () => lines.map((line) => JSON.parse(line) as Fields),
    metrics: () => metrics.registry.metrics(),
    stop,
  };
}
