// The endpoints of a merchant are read while the acquirer is asked, and again if that took long or they could not be read.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Answer } from '../../src/acquirers/acquirer.ts';
import { mustCommit } from '../support/committing.ts';
import { describeOnEachEngine, postgres } from '../support/engines.ts';
import { withClient } from '../support/postgres-admin.ts';
import { aWebhookEndpoint } from '../support/records.ts';
import { until } from '../support/until.ts';
import { scriptedAcquirer } from './scripted-acquirer.ts';
import { scriptedScene } from './scripted-scene.ts';

describeOnEachEngine('An endpoint that is created while the acquirer is asked', (engine) => {
  for (const [when, ms] of [
    ['takes long', 100],
    ['is asked while the clock is set back', -1],
  ] as const) {
    it(`gets the outcome if the acquirer ${when}`, async (t) => {
      const answered = Promise.withResolvers<Answer>();
      const acquirer = scriptedAcquirer({ authorise: [answered.promise] });
      const { deps, scope, clock, pay } = await scriptedScene(t, engine, acquirer);
      const paid = pay();
      await until('the acquirer is asked', () => acquirer.calls.length === 1);
      // After the read that goes on meanwhile: equal reads do not overtake each other.
      assert.deepEqual(await deps.store.list('subscriptions', { scope, limit: 9 }), []);
      const endpoint = aWebhookEndpoint({ merchantId: scope.merchantId, livemode: scope.livemode });
      await mustCommit(deps.store, { webhookEndpoints: [endpoint] });
      clock.advance(ms);
      answered.resolve({ outcome: { kind: 'done' } });
      assert.equal((await paid).kind, 'moved');
      const deliveries = await deps.store.list('deliveries', { scope, limit: 9 });
      assert.deepEqual(new Set(deliveries.map(({ endpointId }) => endpointId)), new Set([endpoint.id]));
    });
  }
});

describe('The outcome of a payment, on PostgreSQL', () => {
  it('is committed with its deliveries although the endpoints could not be read at first', async (t) => {
    const answered = Promise.withResolvers<Answer>();
    const acquirer = scriptedAcquirer({ authorise: [answered.promise] });
    const { deps, address, scope, pay } = await scriptedScene(t, postgres, acquirer);
    assert.ok(address.engine === 'postgres');
    const { merchantId, livemode } = scope;
    await mustCommit(deps.store, { webhookEndpoints: [aWebhookEndpoint({ merchantId, livemode })] });
    await withClient(address.url, async (client) => {
      await client.query('BEGIN');
      await client.query('LOCK TABLE webhook_endpoints IN ACCESS EXCLUSIVE MODE');
      const paid = pay();
      await until('the acquirer is asked', () => acquirer.calls.length === 1);
      await assert.rejects(deps.store.list('subscriptions', { scope, limit: 9 }), /lock timeout/);
      await client.query('COMMIT');
      answered.resolve({ outcome: { kind: 'done' } });
      assert.equal((await paid).kind, 'moved');
    });
    const deliveries = await deps.store.list('deliveries', { scope, limit: 9 });
    assert.equal(deliveries.length, (await deps.store.list('events', { scope, limit: 9 })).length);
    assert.ok(deliveries.length > 0);
  });
});
