// Looking for impossible waits on SQLite blocks the event loop, so it is done in steps that examine only a few rows.

import assert from 'node:assert/strict';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import type { Delivery } from '../../src/domain/delivery.ts';
import type { DatabaseAddress } from '../../src/storage/open-store.ts';
import { mustCommit } from '../support/committing.ts';
import { freshStore, sqlite } from '../support/engines.ts';
import { startOfTests as now } from '../support/fake-clock.ts';
import { aDelivery, anEvent, aPayment, aScope, aWebhookEndpoint } from '../support/records.ts';

const longest = { now, operationMs: [1_000, 2_000], firstAttemptMs: 3_000, retryMs: 60_000, limit: 500 };
/** Of a step, if steps are not measured. */
const stepRows = 16;

describe('Looking for impossible waits on SQLite', () => {
  it('examines what waits in short steps, and nothing that is due', async (t) => {
    const { store, address } = await freshStore(t, sqlite);
    const scope = aScope();
    const endpoints = Array.from({ length: 3 }, () => aWebhookEndpoint(scope));
    const event = anEvent(aPayment({ scope }).intent);
    const attempt = { at: now, statusCode: 500, error: null, durationMs: 1, responseExcerpt: null };
    const each = (count: number, dueAt: number, attempts: Delivery['attempts']): Delivery[] =>
      endpoints.flatMap((endpoint) =>
        Array.from({ length: count }, () => ({ ...aDelivery(endpoint, event), dueAt, attempts })),
      );
    const impossible = [...each(1, now + 60_001, [attempt]), ...each(2, now + 30_000, [])];
    await mustCommit(store, { webhookEndpoints: endpoints, events: [event], deliveries: each(100, now, []) });
    await mustCommit(store, { deliveries: [...each(50, now + 30_000, [attempt]), ...impossible] });

    const { rows, plans } = await watched(t, address, async () => {
      assert.equal(await store.endImpossibleWaits(longest), false);
    });
    for (const step of plans) assert.doesNotMatch(step, /^SCAN|TEMP B-TREE/);
    assert.equal(
      rows.reduce((sum, count) => sum + count, 0),
      3 * 53,
    );
    assert.ok(Math.max(...rows) <= stepRows, `${rows}`);
    assert.equal(await store.deliveryQueue.countDue(now), 300 + impossible.length);
  });
});

/** How many rows each SELECT returned, and the plans of all statements that were run. */
async function watched(t: TestContext, address: DatabaseAddress, work: () => Promise<void>) {
  const rows: number[] = [];
  const asked = new Set<string>();
  for (const name of ['all', 'get', 'run'] as const) {
    const original: (...values: never[]) => unknown = StatementSync.prototype[name];
    t.mock.method(StatementSync.prototype, name, function (this: StatementSync, ...values: never[]) {
      asked.add(this.sourceSQL);
      const result = original.apply(this, values);
      if (Array.isArray(result)) rows.push(result.length);
      return result;
    });
  }
  await work();
  t.mock.restoreAll();
  assert.ok(address.engine === 'sqlite');
  const database = new DatabaseSync(address.path, { readOnly: true });
  const plans = [...asked]
    .filter((sql) => /SELECT|UPDATE/.test(sql))
    .flatMap((sql) => database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all())
    .map(({ detail }) => String(detail));
  database.close();
  return { rows, plans };
}
