// Signals that arrive while the service starts: SIGHUP does not end it, SIGTERM and SIGINT end it with 0.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cleanUpInReverse } from '../support/clean-up.ts';
import { type CleansUp, describeOnEachEngine, freshDatabase, postgres } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { databaseUrl, freshFolder, type RunningCommand, startPaydeskCommand } from '../support/paydesk-process.ts';
import { withClient } from '../support/postgres-admin.ts';
import { until } from '../support/until.ts';

const limits = { timeout: 120_000 };
/** Of the migration: whoever holds it keeps a service that starts waiting. */
const holdMigrationLock = 'SELECT pg_advisory_lock(7296335375)';

async function starting(test: CleansUp, url: string, args: readonly string[] = []): Promise<RunningCommand> {
  return startPaydeskCommand(
    test,
    ['start', ...args],
    {
      DATABASE_URL: url,
      PORT: String(await freePort()),
      PAYDESK_METRICS_ADDRESS: 'off',
      PAYDESK_SHUTDOWN_GRACE: '0',
      // Its warning is the first line of the log.
      PAYDESK_NO_SUCH_SETTING: '1',
    },
    { folder: await freshFolder(test) },
  );
}

const untilLogged = (process: RunningCommand, text: string | RegExp): Promise<void> =>
  until(
    () => `${text} is logged: ${process.stdout()}${process.stderr()}`,
    () => process.stdout().search(text) !== -1,
  );

describeOnEachEngine('A process that gets a signal while it starts', (engine) => {
  it('ignores SIGHUP', limits, async (context) => {
    const test = cleanUpInReverse(context);
    const server = await starting(test, databaseUrl(await freshDatabase(test, engine)));
    await untilLogged(server, 'PAYDESK_NO_SUCH_SETTING');
    server.signal('SIGHUP');
    await untilLogged(server, 'SIGHUP is ignored');
    await untilLogged(server, 'Paydesk is ready');
    server.signal('SIGTERM');
    assert.equal(await server.ended(), 0);
  });

  it('exits with 0 on SIGTERM', limits, async (context) => {
    const test = cleanUpInReverse(context);
    const server = await starting(test, databaseUrl(await freshDatabase(test, engine)));
    await untilLogged(server, 'PAYDESK_NO_SUCH_SETTING');
    server.signal('SIGTERM');
    assert.equal(await server.ended(), 0);
    assert.match(server.stdout(), /"signal":"SIGTERM"/);
  });
});

describe('A service that gets a signal while it waits for a migration (postgres)', () => {
  for (const args of [[], ['--workers', '2']]) {
    const how = args.length === 0 ? 'as a single process' : 'with workers';

    it(`survives SIGHUP, ${how}`, limits, async (context) => {
      const test = cleanUpInReverse(context);
      const url = databaseUrl(await freshDatabase(test, postgres));
      const server = await withClient(url, async (client) => {
        await client.query(holdMigrationLock);
        const server = await starting(test, url, args);
        await untilWaiting(url, server);
        server.signal('SIGHUP');
        await untilLogged(server, args.length === 0 ? 'SIGHUP is ignored' : 'a rolling restart will follow');
        return server;
      });
      await untilLogged(server, 'Paydesk is ready');
      if (args.length > 0) await untilLogged(server, 'all workers were replaced');
      server.signal('SIGTERM');
      assert.equal(await server.ended(), 0);
    });

    it(`exits with 0 on SIGTERM, ${how}`, limits, async (context) => {
      const test = cleanUpInReverse(context);
      const url = databaseUrl(await freshDatabase(test, postgres));
      await withClient(url, async (client) => {
        await client.query(holdMigrationLock);
        const server = await starting(test, url, args);
        await untilWaiting(url, server);
        server.signal('SIGTERM');
        assert.equal(await server.ended(), 0, server.stdout());
        assert.doesNotMatch(server.stdout(), /"level":"error"/);
      });
    });
  }
});

/** Until somebody waits for the migration lock. */
async function untilWaiting(url: string, server: RunningCommand): Promise<void> {
  await withClient(url, (client) =>
    until(
      () => `it waits for the migration lock: ${server.stdout()}${server.stderr()}`,
      async () => {
        const { rowCount } = await client.query(`
          SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`);
        return rowCount === 1;
      },
    ),
  );
}

describe('A supervisor that gets a signal while all but its first worker start', () => {
  const second = /"worker":2,.*"msg":"starting a worker"/;

  it('replaces the workers afterwards on SIGHUP', limits, async (context) => {
    const test = cleanUpInReverse(context);
    const server = await starting(test, databaseUrl(await freshDatabase(test, postgres)), ['--workers', '2']);
    await untilLogged(server, second);
    server.signal('SIGHUP');
    await untilLogged(server, 'all workers were replaced');
    assert.match(server.stdout(), /sk_test_/, 'the key of the demo merchant is shown');
    server.signal('SIGTERM');
    assert.equal(await server.ended(), 0);
  });

  it('exits with 0 on SIGTERM', limits, async (context) => {
    const test = cleanUpInReverse(context);
    const server = await starting(test, databaseUrl(await freshDatabase(test, postgres)), ['--workers', '2']);
    await untilLogged(server, second);
    server.signal('SIGTERM');
    assert.equal(await server.ended(), 0, server.stdout());
    assert.doesNotMatch(server.stdout(), /"level":"error"/);
  });
});
