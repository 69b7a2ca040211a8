// paydesk start --workers: several processes on one port and one PostgreSQL database act as one service.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { apiClient, must } from '../support/api-client.ts';
import { cleanUpInReverse } from '../support/clean-up.ts';
import { freshDatabase, postgres } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { startLoad } from '../support/keep-alive-load.ts';
import { callPaydesk, databaseUrl, freshFolder, runPaydesk, startPaydeskCommand } from '../support/paydesk-process.ts';
import { until } from '../support/until.ts';
import { serveWorkers } from '../support/workers.ts';

const limits = { timeout: 120_000 };

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('Several workers', () => {
  it('share the port, the log and the metrics, and print the startup text once', limits, async (t) => {
    const paydesk = await serveWorkers(t, 2);
    assert.equal(paydesk.stderr().match(/A demo merchant was created/g)?.length, 1, paydesk.stderr());
    const load = startLoad(paydesk.test, paydesk);
    await load.more(300);
    await load.end();
    assert.deepEqual([...new Set(load.outcomes)].sort(), ['200', '201']);

    const served = load.outcomes.length;
    const requests = () => paydesk.log().filter(({ route }) => route === '/me' || route === '/checkout-sessions');
    await until('every request is logged', () => requests().length === served);
    for (const worker of [1, 2]) {
      const share = requests().filter((line) => line.worker === worker).length / served;
      assert.ok(share > 0.2, `worker ${worker} served ${share} of the requests`);
    }
    assert.equal(paydesk.log().filter(({ msg }) => String(msg).startsWith('Paydesk is ready at')).length, 1);
    assert.equal(await paydesk.metric('paydesk_processes'), 2);
    assert.equal(await paydesk.metric('paydesk_commits_total'), load.sessions.length);
    const readiness = await fetch(`${paydesk.metricsUrl}/readyz`);
    assert.deepEqual([readiness.status, await readiness.json()], [200, { status: 'ready' }]);
  });

  it('replace one that is killed under load, keep serving and lose nothing', limits, async (t) => {
    const paydesk = await serveWorkers(t, 2);
    const load = startLoad(paydesk.test, paydesk);
    await load.more(200);
    const counted = await paydesk.metric('paydesk_http_request_duration_seconds_count');
    paydesk.signalTo(1, 'SIGKILL');
    await paydesk.untilServing(2, [1]);
    await load.more(200);
    await load.end();
    const wrong = load.outcomes.filter((outcome) => !['200', '201', 'ECONNRESET'].includes(outcome));
    assert.deepEqual([...new Set(wrong)], []);
    assert.ok(load.outcomes.filter((outcome) => outcome === 'ECONNRESET').length <= 12, 'only those in flight');

    const stored = await paydesk.storedSessions();
    assert.deepEqual(
      load.sessions.filter((id) => !stored.has(id)),
      [],
    );
    const death = paydesk.log().find(({ msg }) => String(msg).startsWith('a worker died'));
    assert.deepEqual([death?.level, death?.worker, death?.signal], ['error', 1, 'SIGKILL']);
    assert.equal(await paydesk.metric('paydesk_worker_deaths_total'), 1);
    const still = await paydesk.metric('paydesk_http_request_duration_seconds_count');
    assert.ok(still >= counted + 200, `counters never fall: ${counted}, then ${still}`);
    assert.equal(await paydesk.metric('paydesk_processes'), 2);
  });

  it('close a connection that a killed worker had not accepted yet', limits, async (t) => {
    const paydesk = await serveWorkers(t, 2);
    paydesk.signalTo(1, 'SIGSTOP');
    // Each worker is passed at most one connection that it has not accepted.
    const responses = Array.from({ length: 6 }, () =>
      fetch(`${paydesk.url}/healthz`, { headers: { Connection: 'close' } }).then(
        ({ status }) => String(status),
        () => 'closed',
      ),
    );
    let answered = 0;
    for (const response of responses) response.then(() => (answered += 1));
    await until('the other worker serves', () => answered >= 5);
    paydesk.signalTo(1, 'SIGKILL');
    const outcomes = await Promise.all(responses);
    assert.ok(outcomes.filter((outcome) => outcome === 'closed').length <= 1, outcomes.join());
  });

  it('are restarted with growing pauses when one cannot start', limits, async (t) => {
    const paydesk = await serveWorkers(t, 2);
    await writeFile(`${paydesk.folder}/.env`, 'LOG_LEVEL=loud\n');
    paydesk.signalTo(2, 'SIGKILL');
    const pauses = (): unknown[] => paydesk.log().flatMap(({ pauseMs }) => (pauseMs === undefined ? [] : [pauseMs]));
    await until('it has died three times', () => pauses().length >= 3);
    assert.deepEqual(pauses().slice(0, 3), [100, 200, 400]);
    must(200, await apiClient(paydesk).get('/me'));
  });
});

describe('The number of workers', () => {
  it('must be 1 with SQLite, and the error explains why and what to do', async (t) => {
    const folder = await freshFolder(t);
    for (const [args, settings] of [
      [['start', '--workers', '2'], {}],
      [['start'], { PAYDESK_WORKERS: '2' }],
    ] as const) {
      const { code, stderr } = await runPaydesk(args, { folder, settings });
      assert.equal(code, 1);
      assert.match(stderr, /must be 1 with SQLite, not 2: only one process .* postgres:\/\//);
    }
  });

  it('must be from 1 to 64, and the error names the flag or the setting that was used', async (t) => {
    const folder = await freshFolder(t);
    for (const given of ['0', '65', '-1', 'all']) {
      const flag = await callPaydesk(['start', '--workers', given], { folder });
      assert.match(flag.stderr, new RegExp(`^paydesk: --workers must be a whole number from 1 to 64, not "${given}"`));
      assert.doesNotMatch(flag.stderr, /PAYDESK_WORKERS/);
      const setting = await callPaydesk(['start'], { folder, settings: { PAYDESK_WORKERS: given } });
      assert.match(setting.stderr, new RegExp(`PAYDESK_WORKERS must be a whole number from 1 to 64, not "${given}"`));
      assert.deepEqual([flag.code, setting.code], [1, 1]);
    }
  });
});

describe('Several workers whose metrics have an address that this machine does not have', () => {
  it('are stopped, and the error says why', limits, async (t) => {
    const test = cleanUpInReverse(t);
    const paydesk = startPaydeskCommand(
      test,
      ['start', '--workers', '1'],
      {
        DATABASE_URL: databaseUrl(await freshDatabase(test, postgres)),
        PORT: String(await freePort()),
        PAYDESK_METRICS_ADDRESS: '192.0.2.1:4021',
      },
      { folder: await freshFolder(test) },
    );
    assert.equal(await paydesk.ended(), 1);
    assert.match(paydesk.stderr(), /EADDRNOTAVAIL/);
    assert.match(paydesk.stdout(), /"worker":1,.*"msg":"stopped"/);
  });
});

describe('Several workers that are asked to stop', () => {
  it('finish their work, and the supervisor exits with 0', limits, async (t) => {
    const paydesk = await serveWorkers(t, 2);
    const pids = [...paydesk.serving().values()];
    must(200, await apiClient(paydesk).get('/me'));
    paydesk.signal('SIGTERM');
    assert.equal(await paydesk.ended(), 0);
    assert.deepEqual(pids.filter(isRunning), []);
    const stopped = paydesk.log().filter(({ msg }) => msg === 'stopped');
    assert.deepEqual(stopped.map(({ worker }) => worker).sort(), [1, 2]);
  });

  it('keep serving during the grace period, until a second signal', limits, async (t) => {
    const paydesk = await serveWorkers(t, 2, { PAYDESK_SHUTDOWN_GRACE: '10' });
    const load = startLoad(paydesk.test, paydesk);
    await load.more(50);
    paydesk.signal('SIGINT');
    await until('it is stopping', async () => (await fetch(`${paydesk.url}/readyz`)).status === 503);
    await load.more(50);
    assert.deepEqual([...new Set(load.outcomes)].sort(), ['200', '201']);
    const ended = load.end();
    paydesk.signal('SIGINT');
    assert.equal(await paydesk.ended(), 0);
    await ended;
    const hurried = paydesk.log().filter(({ msg }) => msg === 'stopping without further grace');
    assert.deepEqual(hurried.map(({ worker }) => worker).sort(), [1, 2]);
  });

  it('also stop when the supervisor is killed', limits, async (t) => {
    const paydesk = await serveWorkers(t, 2);
    const pids = [...paydesk.serving().values()];
    await paydesk.kill();
    await until('the workers are gone', () => !pids.some(isRunning));
  });
});

describe('The rate limit of several workers', () => {
  it('applies to all of them together', limits, async (t) => {
    const rate = 10;
    const paydesk = await serveWorkers(t, 2, { PAYDESK_RATE_LIMIT: String(rate) });
    const startedAt = performance.now();
    // Each request has its own connection, which the supervisor passes to the workers in turn.
    const responses = await Promise.all(
      Array.from({ length: 60 }, () =>
        fetch(`${paydesk.url}/me`, { headers: { Authorization: `Bearer ${paydesk.key}`, Connection: 'close' } }),
      ),
    );
    const elapsedSeconds = (performance.now() - startedAt) / 1000;
    const admitted = responses.filter(({ status }) => status === 200).length;
    assert.ok(admitted >= 2 * rate, `${admitted} were admitted`);
    assert.ok(admitted <= 2 * rate + Math.ceil(elapsedSeconds * rate), `${admitted} in ${elapsedSeconds} s`);
    const refused = responses.filter(({ status }) => status === 429);
    assert.equal(refused.length, 60 - admitted);
    assert.ok(refused.every(({ headers }) => headers.has('Retry-After')));
    const serving = (): unknown[] => paydesk.log().flatMap(({ route, worker }) => (route === '/me' ? [worker] : []));
    await until('both have served', () => new Set(serving()).size === 2);
  });
});
