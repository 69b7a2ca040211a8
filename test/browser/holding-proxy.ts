// A proxy that holds some requests back until a test lets them go, to look at the page meanwhile. Holding them in the
// browser would hold the page as well.

import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CleansUp } from '../support/engines.ts';

export interface HoldingProxy {
  readonly url: string;
  /** Once the first request is held. */
  readonly held: Promise<void>;
  letGo(): void;
}

export async function startHoldingProxy(test: CleansUp, target: string, holds: RegExp): Promise<HoldingProxy> {
  const { promise: held, resolve: isHeld } = Promise.withResolvers<void>();
  const { promise: released, resolve: letGo } = Promise.withResolvers<void>();
  const server = createServer(async (incoming, response) => {
    if (holds.test(incoming.url ?? '')) {
      isHeld();
      await released;
    }
    const { method, headers, url } = incoming;
    const onward = send(new URL(url ?? '/', target), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    incoming.pipe(onward);
  });
  const { promise: listening, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await listening;
  test.after(async () => {
    letGo();
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, held, letGo };
}
