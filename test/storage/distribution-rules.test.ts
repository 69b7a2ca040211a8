// Checks the statements for a distributed database against the rules of Citus, without a cluster. `npm run test:citus` runs
// other tests on one.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import pg from 'pg';
import type { DatabaseAddress } from '../../src/storage/open-store.ts';
import { problemOf, type SentStatement, schemaProblems } from '../support/distribution-rules.ts';
import { freshDatabase, freshStore, type OpenedStore, postgres, postgresByMerchant } from '../support/engines.ts';
import { withClient } from '../support/postgres-admin.ts';
import { useAll } from '../support/whole-store.ts';

/** Records every statement that this process sends from now on. */
function recordStatements(t: TestContext): SentStatement[] {
  const sent: SentStatement[] = [];
  const send = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  t.mock.method(pg.Client.prototype, 'query', function (this: pg.Client, ...args: unknown[]) {
    const [config] = args as [SentStatement | string];
    sent.push(typeof config === 'string' ? { text: config } : config);
    return send.apply(this, args);
  });
  return sent;
}

function problemsIn(sent: readonly SentStatement[]): string[] {
  const found = sent.flatMap((statement) => {
    const problem = problemOf(statement);
    return problem === null ? [] : [`${problem}: ${statement.text.trim().replace(/\s+/g, ' ').slice(0, 200)}`];
  });
  return [...new Set(found)];
}

async function onDatabase<T>({ address }: Pick<OpenedStore, 'address'>, work: (client: pg.Client) => Promise<T>) {
  return withClient(urlOf(address), work);
}

function urlOf(address: DatabaseAddress): string {
  return address.engine === 'postgres' ? address.url : '';
}

describe('On a database that is distributed by merchant', () => {
  it('every statement that locks or changes rows, or is recursive, names one merchant', async (t) => {
    const { store } = await freshStore(t, postgresByMerchant);
    const sent = recordStatements(t);
    const { uncalled } = await useAll(store);
    assert.deepEqual(uncalled, [], 'every function of the store is called');
    assert.deepEqual(problemsIn(sent), []);
  });

  it('the rules reject statements that only work on a single server', async (t) => {
    const { store } = await freshStore(t, postgres);
    const sent = recordStatements(t);
    await useAll(store);
    const problems = problemsIn(sent);
    for (const expected of [
      /^inserts into payment_intents what it selects/,
      /^names no merchant for checkout_sessions, checkout_sessions: WITH locked/,
      /^names no merchant for deliveries, deliveries, deliveries: WITH RECURSIVE/,
      /^names no merchant for deliveries: UPDATE/,
    ])
      assert.ok(
        problems.some((problem) => expected.test(problem)),
        `${expected} in\n${problems.join('\n')}`,
      );
  });

  it('every unique index includes the merchant, and every table of merchants has a placement', async (t) => {
    const opened = await freshStore(t, postgres);
    await onDatabase(opened, async (client) => {
      assert.deepEqual(await schemaProblems(client), []);
      await client.query(`
        CREATE UNIQUE INDEX refunds_by_id ON refunds (id);
        CREATE TABLE gift_cards (merchant_id TEXT NOT NULL, livemode BOOLEAN NOT NULL)`);
      assert.deepEqual(await schemaProblems(client), [
        'the unique index refunds_by_id of refunds does not include the merchant',
        'gift_cards belongs to merchants, but has no placement',
      ]);
    });
  });

  it('three unique indexes lack the merchant before the migration for distribution', async (t) => {
    const address = await freshDatabase(t, postgres);
    await onDatabase({ address }, async (client) => {
      const { migrationsFor } = await import('../../src/storage/migrations.ts');
      for (const { name, sql } of migrationsFor('postgres')) if (name !== 'distribution') await client.query(sql);
      assert.equal((await schemaProblems(client)).length, 3);
    });
  });
});
