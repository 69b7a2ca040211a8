// A port that nobody listens on at the moment, for a server that is started on it soon.

import { randomInt } from 'node:crypto';
import { isFree } from '../../examples/demo-ports.ts';

/** Below those that the system gives to connections: one of them could take a port of theirs before the server does. */
const lowest = 12_000;
const beyond = 32_000;
const attempts = 100;

export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const port = randomInt(lowest, beyond);
    if (await isFree(port)) return port;
  }
  throw new Error(`no port was free in ${attempts} attempts`);
}
