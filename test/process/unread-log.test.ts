// A log that nobody reads: its reader is gone, or hangs. The service keeps serving, and stops when asked to.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { cleanUpInReverse } from '../support/clean-up.ts';
import { type CleansUp, type Engine, freshDatabase, postgres, sqlite } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { databaseUrl, environment, freshFolder, paydeskCommand } from '../support/paydesk-process.ts';
import { until } from '../support/until.ts';

const limits = { timeout: 180_000 };

async function servingWithoutReader(context: CleansUp, engine: Engine, args: readonly string[]) {
  const test = cleanUpInReverse(context);
  const folder = await freshFolder(test);
  const DATABASE_URL = databaseUrl(await freshDatabase(test, engine));
  const PORT = String(await freePort());
  const env = environment({ DATABASE_URL, PORT, PAYDESK_METRICS_ADDRESS: 'off', PAYDESK_SHUTDOWN_GRACE: '0' });
  const child = spawn(paydeskCommand, ['start', ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  test.after(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  });
  child.stderr.resume();
  const get = () =>
    fetch(`http://127.0.0.1:${PORT}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until('it serves', get);
  return { child, ended, get };
}

/** Logs more than the buffers between the processes can hold. */
async function fillLog(get: () => Promise<boolean>): Promise<void> {
  for (let round = 0; round < 60; round += 1) await Promise.all(Array.from({ length: 50 }, get));
}

describe('A service whose log is not read', () => {
  for (const [how, engine, args] of [
    ['a single process', sqlite, []],
    ['workers', postgres, ['--workers', '1']],
  ] as const) {
    it(`keeps serving, and stops when asked to, because the reader is gone (${how})`, limits, async (t) => {
      const { child, ended, get } = await servingWithoutReader(t, engine, args);
      child.stdout.destroy();
      await fillLog(get);
      assert.ok(await get());
      child.kill('SIGTERM');
      assert.deepEqual(await ended, [0, null]);
    });

    it(`keeps serving, and stops when asked to, because the reader hangs (${how})`, limits, async (t) => {
      const { child, ended, get } = await servingWithoutReader(t, engine, args);
      await fillLog(get);
      assert.ok(await get());
      child.kill('SIGTERM');
      assert.deepEqual(await ended, [0, null]);
    });
  }
});
