// A rolling restart of workers: SIGHUP replaces them one by one, and no request fails.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { apiClient, must } from '../support/api-client.ts';
import { freshDatabase, sqlite } from '../support/engines.ts';
import { startLoad } from '../support/keep-alive-load.ts';
import { databaseUrl, freshFolder, servePaydesk } from '../support/paydesk-process.ts';
import { until } from '../support/until.ts';
import { serveWorkers } from '../support/workers.ts';

const limits = { timeout: 120_000 };

describe('SIGHUP', () => {
  for (const count of [1, 2])
    it(`replaces all workers (${count}) without a failed request`, limits, async (t) => {
      const paydesk = await serveWorkers(t, count, { PAYDESK_SHUTDOWN_GRACE: '2' });
      const before = [...paydesk.serving().keys()];
      const load = startLoad(paydesk.test, paydesk);
      await load.more(200);
      const counted = await paydesk.metric('paydesk_http_request_duration_seconds_count');
      paydesk.signal('SIGHUP');
      let readiness = 0;
      await until('all workers were replaced', async () => {
        const { status } = await fetch(`${paydesk.url}/readyz`);
        if (status !== 200) readiness = status;
        return paydesk.log().some(({ msg }) => String(msg).includes('all workers were replaced'));
      });
      await load.more(200);
      await load.end();
      assert.deepEqual([...new Set(load.outcomes)].sort(), ['200', '201']);
      assert.equal(readiness, 0, 'the service was ready all the time');
      await paydesk.untilServing(count, before);
      const still = await paydesk.metric('paydesk_http_request_duration_seconds_count');
      assert.ok(still >= counted + 200, `counters never fall: ${counted}, then ${still}`);
      assert.equal(await paydesk.metric('paydesk_worker_deaths_total'), 0);
      const stored = await paydesk.storedSessions();
      assert.deepEqual(
        load.sessions.filter((id) => !stored.has(id)),
        [],
      );
      paydesk.signal('SIGTERM');
      assert.equal(await paydesk.ended(), 0);
    });

  it('applies changes to .env, and keeps the old workers if the changes are invalid', limits, async (t) => {
    const paydesk = await serveWorkers(t, 2);
    await writeFile(`${paydesk.folder}/.env`, 'PAYDESK_ACQUIRER_TIMEOUT=never\n');
    paydesk.signal('SIGHUP');
    await until('it has given up', () => paydesk.log().some(({ msg }) => /ended early/.test(String(msg))));
    assert.match(paydesk.stderr(), /PAYDESK_ACQUIRER_TIMEOUT must be a whole number/);
    const failure = paydesk.log().find(({ msg }) => msg === 'a new worker could not start');
    assert.match(String(failure?.problem), /PAYDESK_ACQUIRER_TIMEOUT must be a whole number/);
    assert.deepEqual([...paydesk.serving().keys()], [1, 2]);
    must(200, await apiClient(paydesk).get('/me'));

    await writeFile(`${paydesk.folder}/.env`, 'PAYDESK_DOCS=off\n');
    paydesk.signal('SIGHUP');
    await paydesk.untilServing(2, [1, 2]);
    assert.equal((await fetch(`${paydesk.url}/docs`)).status, 404);
  });

  it('keeps the old workers if the changes are invalid and nobody reads the errors', limits, async (t) => {
    const paydesk = await serveWorkers(t, 2);
    paydesk.closeErrors();
    await writeFile(`${paydesk.folder}/.env`, 'PAYDESK_ACQUIRER_TIMEOUT=never\n');
    paydesk.signal('SIGHUP');
    await until('it has given up', () => paydesk.log().some(({ msg }) => /ended early/.test(String(msg))));
    must(200, await apiClient(paydesk).get('/me'));
    paydesk.signal('SIGTERM');
    assert.equal(await paydesk.ended(), 0);
  });

  it('that is followed by SIGTERM stops the worker that has just been started, too', limits, async (t) => {
    const paydesk = await serveWorkers(t, 2);
    paydesk.signal('SIGHUP');
    // Of two signals at once, the second may be handled first.
    await until('a new worker starts', () =>
      paydesk.log().some(({ msg, worker }) => msg === 'starting a worker' && worker === 3),
    );
    paydesk.signal('SIGTERM');
    assert.equal(await paydesk.ended(), 0);
    assert.deepEqual(
      paydesk.log().filter(({ level }) => level === 'error'),
      [],
    );
  });

  it('does not move the service to another address', limits, async (t) => {
    const paydesk = await serveWorkers(t, 1);
    await writeFile(`${paydesk.folder}/.env`, 'HOST=127.0.0.2\n');
    paydesk.signal('SIGHUP');
    await paydesk.untilServing(1, [1]);
    assert.equal((await fetch(`${paydesk.url}/readyz`)).status, 200);
  });

  it('is ignored by a single process, which logs what to do instead', limits, async (t) => {
    const folder = await freshFolder(t);
    const settings = { DATABASE_URL: databaseUrl(await freshDatabase(t, sqlite)) };
    const server = await servePaydesk(t, { folder, settings, args: ['--workers', '1'] });
    server.signal('SIGHUP');
    await until('it says so', () => server.stdout().includes('SIGHUP is ignored'));
    assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
    server.signal('SIGTERM');
    assert.equal(await server.ended(), 0);
  });
});
