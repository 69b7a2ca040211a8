// A TCP proxy between the service and a server, which a test can cut to make the server unreachable.

import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { CleansUp } from './engines.ts';

export interface TcpProxy {
  readonly port: number;
  /** The number of connections so far. */
  connections(): number;
  /** Closes every connection and refuses new ones. */
  cut(): void;
  restore(): void;
  /** Open connections stop forwarding without closing, as when a machine loses power. New ones work. */
  silence(): void;
}

export async function startTcpProxy(test: CleansUp, target: { host: string; port: number }): Promise<TcpProxy> {
  const open = new Set<Socket>();
  let isCut = false;
  let connections = 0;
  const server = createServer((near) => {
    connections += 1;
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect(target.port, target.host);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const cut = (): void => {
    isCut = true;
    for (const socket of open) socket.destroy();
  };
  test.after(async () => {
    cut();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    cut,
    silence: () => {
      for (const socket of open) socket.unpipe();
      for (const socket of open) socket.pause();
    },
    restore: () => {
      isCut = false;
    },
  };
}
