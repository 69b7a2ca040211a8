// The limit for sending webhooks from Node: undici posts the same prepared bytes in a loop. Runs as a separate process:
// node bench/bare-sender.ts <url> <count>, with headers and body as JSON in the environment.

import { Pool } from 'undici';

const connections = 64;
const url = new URL(process.argv[2] ?? '');
const { headers, body } = JSON.parse(process.env.BARE_REQUEST ?? '{}') as {
  headers: Record<string, string>;
  body: string;
};
const bytes = Buffer.from(body);
const pool = new Pool(url.origin, { connections });
let left = Number(process.argv[3]);

async function post(): Promise<void> {
  while (left > 0) {
    left -= 1;
    const response = await pool.request({ method: 'POST', path: url.pathname, headers, body: bytes });
    await response.body.dump();
  }
}
await Promise.all(Array.from({ length: connections }, post));
await pool.close();
