// Acknowledged commits survive when the process is killed; others are stored completely or not at all.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Scope } from '../../src/domain/merchant.ts';
import { type DatabaseAddress, openStore } from '../../src/storage/open-store.ts';
import type { Store } from '../../src/storage/store.ts';
import { startProgram } from '../support/child-process.ts';
import { deterministicNumbers } from '../support/deterministic-random.ts';
import { describeOnEachEngine, freshDatabase } from '../support/engines.ts';
import { adminUrl, withClient } from '../support/postgres-admin.ts';
import { aScope } from '../support/records.ts';
import { until } from '../support/until.ts';

const rounds = 5;
const maxLifetimeMs = 150;
const program = new URL('./programs/commit-until-killed.ts', import.meta.url);

describeOnEachEngine('A process that is killed while it commits', (engine) => {
  it('loses no acknowledged commit, and leaves none half done', async (t) => {
    const address = await freshDatabase(t, engine);
    const scope = aScope();
    const next = deterministicNumbers(20260115);
    const acknowledged = new Set<string>();
    for (let round = 0; round < rounds; round += 1) {
      const committer = startProgram(program, { address, scope });
      try {
        await committer.firstLine();
        await pause(next() * maxLifetimeMs);
      } finally {
        await committer.kill();
      }
      await untilDisconnected(address);
      for (const sessionId of committer.lines) acknowledged.add(sessionId);
      const store = await openStore(address, { serving: true, onConnectionLost: () => {} });
      try {
        const present = await completeSessions(store, scope);
        const lost = [...acknowledged].filter((id) => !present.has(id));
        assert.deepEqual(lost, [], `acknowledged, but lost in round ${round}`);
      } finally {
        await store.close();
      }
    }
    assert.ok(acknowledged.size >= rounds);
    const store = await openStore(address, { serving: true, onConnectionLost: () => {} });
    t.after(() => store.close());
    const sessions = await completeSessions(store, scope);
    const records = await store.prune('idempotencyRecords', Number.MAX_SAFE_INTEGER, 1_000_000);
    assert.equal(records, sessions.size, 'no idempotency record without its session');
  });
});

/** The server finishes what a dead client has sent; only then is the result final. */
async function untilDisconnected(address: DatabaseAddress): Promise<void> {
  if (address.engine === 'sqlite') return;
  const database = new URL(address.url).pathname.slice(1);
  await withClient(adminUrl(), (client) =>
    until('the connections of the killed process are gone', async () => {
      // Citus has connections of its own to each database.
      const own = "SELECT 1 FROM pg_stat_activity WHERE datname = $1 AND application_name LIKE 'paydesk%'";
      return (await client.query(own, [database])).rowCount === 0;
    }),
  );
}

async function completeSessions(store: Store, scope: Scope): Promise<Set<string>> {
  const noLimit = { limit: 1_000_000 };
  const sessions = await store.list('checkoutSessions', { scope: scope, ...noLimit });
  const intents = new Set((await store.list('paymentIntents', { scope: scope, ...noLimit })).map(({ id }) => id));
  const withEvent = new Set((await store.list('events', { scope: scope, ...noLimit })).map(({ data }) => data.id));
  assert.equal(intents.size, sessions.length);
  assert.equal(withEvent.size, sessions.length);
  for (const { paymentIntentId, metadata } of sessions) {
    assert.ok(intents.has(paymentIntentId));
    assert.ok(withEvent.has(paymentIntentId));
    assert.ok((await store.find('idempotencyRecords', scope, metadata.key ?? '')) !== null);
  }
  return new Set(sessions.map(({ id }) => id));
}
