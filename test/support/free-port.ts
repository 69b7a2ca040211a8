// Finds a port that is currently free, for a server that is about to start.

import { randomInt } from 'node:crypto';
import { isFree } from '../../examples/demo-ports.ts';

/** Below the ephemeral ports, any of which a connection could take before the server starts. */
const lowestPort = 12_000;
const endOfRange = 32_000;
const attempts = 100;

export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const port = randomInt(lowestPort, endOfRange);
    if (await isFree(port)) return port;
  }
  throw new Error(`no port was free in ${attempts} attempts`);
}
