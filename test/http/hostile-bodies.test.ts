// Requests that are cheap to send and could be expensive to handle.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { freshDatabase, sqlite } from '../support/engines.ts';
import { databaseUrl, freshFolder, servePaydesk } from '../support/paydesk-process.ts';
import { connectTo, sendRaw } from '../support/raw-http.ts';

describe('A request designed to be expensive', { timeout: 120_000 }, () => {
  it('uses little memory if its body arrives in one-byte chunks', async (t) => {
    const folder = await freshFolder(t);
    const DATABASE_URL = databaseUrl(await freshDatabase(t, sqlite));
    const paydesk = await servePaydesk(t, { folder, settings: { DATABASE_URL, LOG_LEVEL: 'warn' } });
    const [key = ''] = /\bsk_test_\w+/.exec(paydesk.stdout()) ?? [];
    const head = `POST /checkout-sessions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const before = residentMb(paydesk.pid);
    let peakMb = 0;
    const sockets = await Promise.all([1, 2, 3].map(() => connectTo(t, paydesk.url)));
    await Promise.all(
      sockets.map(async (socket) => {
        socket.write(head);
        // The body never ends, so that the chunks are kept.
        for (let round = 0; round < 20; round += 1) {
          await new Promise((sent) => socket.write('1\r\n \r\n'.repeat(50_000), sent));
          peakMb = Math.max(peakMb, residentMb(paydesk.pid) - before);
        }
      }),
    );
    assert.equal((await fetch(`${paydesk.url}/healthz`)).status, 200);
    peakMb = Math.max(peakMb, residentMb(paydesk.pid) - before);
    assert.ok(peakMb < 120, `${peakMb} MB more`);
  });

  it('is rejected in about the same time, however many query parameters it has', async (t) => {
    const folder = await freshFolder(t);
    const DATABASE_URL = databaseUrl(await freshDatabase(t, sqlite));
    const paydesk = await servePaydesk(t, { folder, settings: { DATABASE_URL, LOG_LEVEL: 'warn' } });
    const [key = ''] = /\bsk_test_\w+/.exec(paydesk.stdout()) ?? [];
    async function fastestMs(path: string, code: string): Promise<number> {
      const times: number[] = [];
      for (let round = 0; round < 10; round += 1) {
        const startedAt = performance.now();
        const query = `?${'a&'.repeat(7_500)}`;
        const head = `GET ${path}${query} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`;
        assert.match(await sendRaw(paydesk.url, head), new RegExp(`"code":"${code}"`));
        times.push(performance.now() - startedAt);
      }
      return Math.min(...times);
    }
    const unknownPathMs = await fastestMs('/nothing', 'route_not_found');
    const knownPathMs = await fastestMs('/checkout-sessions', 'parameter_unknown');
    assert.ok(
      knownPathMs < 10 * unknownPathMs + 20,
      `${knownPathMs} ms, where an unknown path took ${unknownPathMs} ms`,
    );
  });
});

function residentMb(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}
