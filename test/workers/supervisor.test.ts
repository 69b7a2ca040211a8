// A supervisor whose workers hang: it kills and replaces them, and goes on.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { environment } from '../support/paydesk-process.ts';
import { until } from '../support/until.ts';
import type { HangingWorkers } from './programs/supervised.ts';

const program = fileURLToPath(new URL('./programs/supervised.ts', import.meta.url));
const limits = { timeout: 120_000 };

function supervised(t: TestContext, hanging: HangingWorkers) {
  const child = spawn(process.execPath, [program, JSON.stringify(hanging)], { env: environment({}) });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)));
  t.after(async () => {
    if (child.exitCode === null) child.kill('SIGTERM');
    await exited;
  });
  return {
    /** Waits for a line of the log about that worker, or about none. */
    logged: (message: string, worker?: number): Promise<void> => {
      const about = worker === undefined ? '' : `"worker":${worker},.*`;
      return until(
        () => `${message} (${worker}): ${text}`,
        () => new RegExp(`${about}"msg":"${message}`).test(text),
      );
    },
    text: () => text,
    signal: (signal: NodeJS.Signals) => child.kill(signal),
    ended: async () => (await exited)[0],
  };
}

describe('A supervisor', () => {
  it('replaces a worker that hangs', limits, async (t) => {
    const { logged, signal, ended } = supervised(t, {
      whenReady: [1],
      limits: { heartbeat: { everyMs: 1_000, unanswered: 3 } },
    });
    await logged('a worker hung, and was killed', 1);
    await logged('a worker died', 1);
    await logged('starting a worker', 2);
    signal('SIGTERM');
    assert.equal(await ended(), 0);
  });

  it('keeps workers of the version before, which do not know its questions', limits, async (t) => {
    const { logged, text } = supervised(t, {
      beforeHeartbeats: true,
      limits: { heartbeat: { everyMs: 1_000, unanswered: 3 } },
    });
    await logged('asked four times');
    assert.doesNotMatch(text(), /hung|"level":"error"/);
  });

  it('kills an old worker that does not stop in a rolling restart, and goes on', limits, async (t) => {
    const { logged, signal, ended } = supervised(t, {
      ...{ workers: 2, whenStopping: [1] },
      limits: { stopMs: 5_000 },
    });
    await logged('started');
    signal('SIGHUP');
    await logged('a worker did not stop in time, and was killed', 1);
    await logged('a worker has stopped', 2);
    await logged('rolling restart: all workers were replaced');
    signal('SIGTERM');
    assert.equal(await ended(), 0);
  });

  it('gives up a rolling restart whose new worker hangs, and obeys the next SIGHUP', limits, async (t) => {
    const { logged, signal, ended } = supervised(t, { whenStarting: [2], limits: { startMs: 10_000 } });
    await logged('started');
    signal('SIGHUP');
    await logged('starting a worker', 2);
    signal('SIGHUP');
    await logged('a rolling restart will follow');
    await logged('a worker was not ready after 10 s, and was killed', 2);
    await logged('the rolling restart has ended early');
    await logged('rolling restart: all workers were replaced');
    signal('SIGTERM');
    assert.equal(await ended(), 0);
  });

  it('replaces a worker that hangs while it starts', limits, async (t) => {
    const { logged, signal, ended } = supervised(t, {
      ...{ workers: 2, whenStarting: [2] },
      limits: { startMs: 10_000 },
    });
    await logged('a worker was not ready after 10 s, and was killed', 2);
    await logged('starting a worker', 3);
    await logged('started');
    signal('SIGTERM');
    assert.equal(await ended(), 0);
  });
});
