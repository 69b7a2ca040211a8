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
  /** New connections are accepted and nothing more, as if packets were lost, until `restore`. */
  hold(): void;
  /** How many connections were held so far whose first bytes contain this text. */
  heldWith(text: string): number;
  /** The next connection that sends this text goes silent. */
  silenceNext(text: string): void;
  /** Open connections stop forwarding without closing, as when a machine loses power. New ones work. */
  silence(): void;
}

export async function startTcpProxy(test: CleansUp, target: { host: string; port: number }): Promise<TcpProxy> {
  const open = new Set<Socket>();
  /** With what they have sent. */
  const held = new Map<Socket, Buffer>();
  const heldSoFar: Buffer[] = [];
  let isCut = false;
  let isHolding = false;
  let silenceNext: string | null = null;
  let connections = 0;

  function hold(near: Socket): void {
    held.set(near, Buffer.alloc(0));
    near.on('error', () => {});
    near.on('close', () => held.delete(near));
    near.once('data', (bytes: Buffer) => {
      near.pause();
      held.set(near, bytes);
      heldSoFar.push(bytes);
    });
  }
  function forward(near: Socket, sent: Buffer = Buffer.alloc(0)): void {
    near.on('data', (bytes: Buffer) => {
      if (silenceNext === null || !bytes.includes(silenceNext)) return;
      silenceNext = null;
      far.unpipe(near);
    });
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
    far.write(sent);
  }
  const server = createServer((near) => {
    connections += 1;
    if (isCut) near.destroy();
    else if (isHolding) hold(near);
    else forward(near);
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
      isHolding = false;
      for (const [near, sent] of held) forward(near, sent);
      held.clear();
    },
    hold: () => {
      isHolding = true;
    },
    heldWith: (text) => heldSoFar.filter((sent) => sent.includes(text)).length,
    silenceNext: (text) => {
      silenceNext = text;
    },
  };
}
