// A proxy that holds some requests until a test releases them, so that the test can inspect the page in the meantime.
// Holding them in the browser would block the page as well.

import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CleansUp } from '../support/engines.ts';

export interface HoldingProxy {
  readonly url: string;
  /** Resolves when the first request is held. */
  readonly held: Promise<void>;
  release(): void;
}

export async function startHoldingProxy(test: CleansUp, target: string, pattern: RegExp): Promise<HoldingProxy> {
  const { promise: held, resolve: isHeld } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const server = createServer(async (incoming, response) => {
    if (pattern.test(incoming.url ?? '')) {
      isHeld();
      await released;
    }
    const { method, headers, url } = incoming;
    const onward = send(new URL(url ?? '/', target), { method, headers }, (forwarded) => {
      response.writeHead(forwarded.statusCode ?? 502, forwarded.headers);
      forwarded.pipe(response);
    });
    onward.on('error', () => response.destroy());
    incoming.pipe(onward);
  });
  const { promise: listening, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await listening;
  test.after(async () => {
    release();
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, held, release };
}
