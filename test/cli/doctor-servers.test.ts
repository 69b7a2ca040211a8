// paydesk doctor on each PostgreSQL server: all those in DATABASE_URL, and the replica that lists are read from.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Finding } from '../../src/cli/doctor.ts';
import { freePort } from '../support/free-port.ts';
import { callPaydesk, freshFolder } from '../support/paydesk-process.ts';
import { type ReplicatedPostgres, startReplicatedPostgres } from '../support/replicated-postgres.ts';

const password = 'hunter22';

describe('paydesk doctor', () => {
  let postgres: ReplicatedPostgres;
  let folder: string;
  const cleanUps: (() => Promise<void>)[] = [];
  const address = (...ports: number[]): string =>
    `postgres://paydesk:${password}@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/paydesk`;

  async function examine(chosen: Readonly<Record<string, string>>) {
    const settings = { PAYDESK_METRICS_ADDRESS: 'off', ...chosen };
    const { code, stdout, stderr } = await callPaydesk(['doctor', '--json'], { folder, settings });
    assert.ok(!`${stdout}${stderr}`.includes(password));
    const findings = JSON.parse(stdout) as Finding[];
    return { code, of: (check: string) => findings.filter((finding) => finding.check === check) };
  }

  before(async () => {
    const suite = { after: (work: () => Promise<void>) => void cleanUps.push(work) };
    postgres = await startReplicatedPostgres(suite);
    folder = await freshFolder(suite);
    const settings = { DATABASE_URL: postgres.primary.url };
    const migrated = await callPaydesk(['migrate'], { folder, settings });
    assert.equal(migrated.code, 0, migrated.stderr);
  });
  after(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });

  it('reports what each of several servers in DATABASE_URL is', async () => {
    const { primary, replica } = postgres;
    const { code, of } = await examine({ DATABASE_URL: address(replica.port, primary.port) });
    assert.deepEqual(of('servers'), [
      { check: 'servers', ok: true, found: `127.0.0.1:${replica.port} is a replica` },
      { check: 'servers', ok: true, found: `127.0.0.1:${primary.port} accepts writes` },
    ]);
    assert.equal(code, 0);
    assert.deepEqual(
      (await examine({ DATABASE_URL: address(primary.port) })).of('servers'),
      [],
      'the storage check covers a single server',
    );
  });

  it('warns of a server in DATABASE_URL that cannot be used, although another one accepts writes', async () => {
    const [wrongPort, { primary }] = [await freePort(), postgres];
    const settings = { DATABASE_URL: address(wrongPort, primary.port), PAYDESK_METRICS_ADDRESS: 'off' };
    const { code, of } = await examine(settings);
    const [unusable, usable] = of('servers');
    assert.equal(unusable?.warning, true);
    assert.match(unusable?.found ?? '', new RegExp(`^127\\.0\\.0\\.1:${wrongPort} cannot be used: .*ECONNREFUSED`));
    assert.match(
      unusable?.advice ?? '',
      /check that PostgreSQL is running there, and its host and port in DATABASE_URL/,
    );
    assert.deepEqual([usable?.ok, usable?.warning, code], [true, undefined, 0]);
    const { stdout } = await callPaydesk(['doctor'], { folder, settings });
    assert.match(stdout, new RegExp(`^WARN +servers +127\\.0\\.0\\.1:${wrongPort} cannot be used.*\n +→ check`, 'm'));
  });

  it('says what to do if none of several servers can be used', async () => {
    const { code, of } = await examine({ DATABASE_URL: address(await freePort(), await freePort()) });
    const [storage] = of('storage');
    assert.match(storage?.found ?? '', /^no PostgreSQL server in DATABASE_URL accepts writes: .*ECONNREFUSED/);
    assert.match(storage?.advice ?? '', /^check that PostgreSQL is running/);
    assert.deepEqual([storage?.ok, code], [false, 1]);
  });

  it('reports a replica that lists can be read from', async () => {
    const { primary, replica } = postgres;
    const { code, of } = await examine({
      DATABASE_URL: address(primary.port),
      PAYDESK_REPLICA_URL: address(replica.port),
    });
    assert.deepEqual(of('replica'), [{ check: 'replica', ok: true, found: `127.0.0.1:${replica.port} is a replica` }]);
    assert.equal(code, 0);
    assert.deepEqual((await examine({ DATABASE_URL: address(primary.port) })).of('replica'), []);
  });

  it('warns if lists cannot be read from the replica', async () => {
    const [wrongPort, { primary }] = [await freePort(), postgres];
    const replicaAt = (port: number) =>
      examine({ DATABASE_URL: address(primary.port), PAYDESK_REPLICA_URL: address(port) });
    const unreachable = await replicaAt(wrongPort);
    const [finding] = unreachable.of('replica');
    assert.match(
      finding?.found ?? '',
      new RegExp(`^127\\.0\\.0\\.1:${wrongPort} cannot be used, so lists are read from the primary: .*ECONNREFUSED`),
    );
    assert.match(
      finding?.advice ?? '',
      /check that the replica is running and PAYDESK_REPLICA_URL is correct, or unset/,
    );
    assert.deepEqual([finding?.ok, finding?.warning, unreachable.code], [true, true, 0]);

    const notReplica = await replicaAt(primary.port);
    const [itself] = notReplica.of('replica');
    assert.match(itself?.found ?? '', /is not a replica, so lists are read from the primary/);
    assert.match(itself?.advice ?? '', /^set PAYDESK_REPLICA_URL to a replica of the server in DATABASE_URL, or unset/);
    assert.deepEqual([itself?.ok, itself?.warning, notReplica.code], [true, true, 0]);
  });
});
