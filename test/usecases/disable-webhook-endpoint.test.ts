// An endpoint that answered 410 is disabled once, unless somebody has already dealt with it.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { deleted, type WebhookEndpoint } from '../../src/domain/webhook-endpoint.ts';
import { disableWebhookEndpoint } from '../../src/usecases/disable-webhook-endpoint.ts';
import { mustCommit } from '../support/committing.ts';
import { describeOnEachEngine, freshStore } from '../support/engines.ts';
import { startOfTests } from '../support/fake-clock.ts';
import { aScope, aWebhookEndpoint } from '../support/records.ts';

describeOnEachEngine('Disabling an endpoint that is gone', (engine) => {
  it('gives the reason and happens once, also when several ask for it', async (t) => {
    const { store } = await freshStore(t, engine);
    const endpoint = aWebhookEndpoint();
    await mustCommit(store, { webhookEndpoints: [endpoint] });
    await Promise.all([1, 2, 3].map(() => disableWebhookEndpoint({ store }, endpoint, endpoint.id)));
    const stored = await store.webhookEndpoint(endpoint, endpoint.id);
    assert.equal(stored?.disabledReason, 'gone');
    assert.equal(stored?.version, 2);
    assert.deepEqual(await store.subscriptions(endpoint), []);
  });

  it('leaves one alone that is disabled, deleted, of the other mode or not there', async (t) => {
    const { store } = await freshStore(t, engine);
    const disabled = aWebhookEndpoint({ disabledReason: 'by_request' });
    const removed = deleted(aWebhookEndpoint(), startOfTests);
    const live: WebhookEndpoint = aWebhookEndpoint(aScope({ livemode: true }));
    await mustCommit(store, { webhookEndpoints: [disabled, removed, live] });
    await disableWebhookEndpoint({ store }, disabled, disabled.id);
    assert.equal((await store.webhookEndpoint(disabled, disabled.id))?.disabledReason, 'by_request');
    assert.equal((await store.webhookEndpoint(disabled, disabled.id))?.version, 1);
    assert.deepEqual(await disableWebhookEndpoint({ store }, removed, removed.id), { done: null });
    assert.deepEqual(await disableWebhookEndpoint({ store }, { ...live, livemode: false }, live.id), { done: null });
    assert.equal((await store.webhookEndpoint(live, live.id))?.disabledReason, null);
  });
});
