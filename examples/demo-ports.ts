// Ports for the demo: the requested ones, or the usual ones, or the next free ones.

import { once } from 'node:events';
import { createServer } from 'node:net';

const tries = 50;

export async function portFor(setting: string, usual: number): Promise<number> {
  const requested = process.env[setting];
  if (requested !== undefined && requested !== '') {
    const port = Number(requested);
    if (await isFree(port)) return port;
    throw new Error(
      `${setting}=${requested} is in use. Set ${setting} to a free port, or unset it to use the next free one.`,
    );
  }
  for (let port = usual; port < usual + tries; port += 1) if (await isFree(port)) return port;
  throw new Error(`the ports from ${usual} to ${usual + tries - 1} are all in use. Set ${setting} to a free one.`);
}

/** Whether nothing is listening on it at the moment. */
export async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  try {
    await once(probe.listen(port, '127.0.0.1'), 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}
