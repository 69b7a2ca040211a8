// An endpoint that responded with 410 is disabled once, unless it was changed in the meantime.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { deleted, type WebhookEndpoint } from '../../src/domain/webhook-endpoint.ts';
import { disableWebhookEndpoint } from '../../src/usecases/disable-webhook-endpoint.ts';
import { mustCommit } from '../support/committing.ts';
import { describeOnEachEngine, freshStore } from '../support/engines.ts';
import { startOfTests } from '../support/fake-clock.ts';
import { aMoment, aScope, aWebhookEndpoint } from '../support/records.ts';

describeOnEachEngine('Disabling an endpoint that is gone', (engine) => {
  it('records the reason and happens once, even if requested several times', async (t) => {
    const { store } = await freshStore(t, engine);
    const endpoint = aWebhookEndpoint();
    await mustCommit(store, { webhookEndpoints: [endpoint] });
    const current = { ...endpoint, version: 1 };
    const outcomes = await Promise.all(
      [1, 2, 3].map(() => disableWebhookEndpoint({ store, moment: aMoment }, current)),
    );
    assert.deepEqual(outcomes.map((outcome) => 'done' in outcome && outcome.done).toSorted(), [false, false, true]);
    const stored = await store.find('webhookEndpoints', endpoint, endpoint.id);
    assert.equal(stored?.disabledReason, 'gone');
    assert.equal(stored?.version, 2);
    assert.deepEqual(await store.list('subscriptions', { scope: endpoint, limit: 10 }), []);
  });

  it('leaves an endpoint alone that has changed since the attempt', async (t) => {
    const { store } = await freshStore(t, engine);
    const endpoint = aWebhookEndpoint();
    await mustCommit(store, { webhookEndpoints: [endpoint] });
    const moved = { ...endpoint, version: 1, url: 'https://shop.example/elsewhere' };
    await mustCommit(store, { webhookEndpoints: [moved] });
    assert.deepEqual(await disableWebhookEndpoint({ store, moment: aMoment }, { ...endpoint, version: 1 }), {
      done: false,
    });
    assert.equal((await store.find('webhookEndpoints', endpoint, endpoint.id))?.disabledReason, null);
  });

  it('leaves an endpoint alone that is deleted or belongs to the other mode', async (t) => {
    const { store } = await freshStore(t, engine);
    const removed = deleted(aWebhookEndpoint(), startOfTests);
    const live: WebhookEndpoint = aWebhookEndpoint(aScope({ livemode: true }));
    await mustCommit(store, { webhookEndpoints: [removed, live] });
    assert.deepEqual(await disableWebhookEndpoint({ store, moment: aMoment }, { ...removed, version: 1 }), {
      done: false,
    });
    const otherMode = { ...live, version: 1, livemode: false };
    assert.deepEqual(await disableWebhookEndpoint({ store, moment: aMoment }, otherMode), { done: false });
    assert.equal((await store.find('webhookEndpoints', live, live.id))?.disabledReason, null);
  });
});
