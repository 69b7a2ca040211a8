// The audit trail of changes made over the API: written in the same commit, with the API key as actor, and logged.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { must } from '../support/api-client.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { startPaydesk } from '../support/paydesk.ts';

describeOnEachEngine('The audit trail of webhook endpoints', (engine) => {
  it('records the key, action and endpoint of each change, without secrets, and is logged', async (t) => {
    const paydesk = await startPaydesk(t, engine);
    const { test, merchant } = await paydesk.newMerchant();
    const { api_key } = must(200, await test.get('/me'));
    const url = 'https://shop.example/hooks/token-abc?key=token-def';
    const created = must(201, await test.post('/webhook-endpoints', { url }));
    const path = `/webhook-endpoints/${created.id}`;
    paydesk.clock.advance(1);
    must(200, await test.patch(path, { url: 'https://other.example/token-ghi', disabled: true }));
    must(200, await test.patch(path, { disabled: true }));
    paydesk.clock.advance(1);
    const rotated = must(200, await test.post(`${path}/rotate-secret`, { activates_in: 60 }));
    paydesk.clock.advance(1);
    must(200, await test.send('DELETE', path));
    assert.equal((await test.send('DELETE', path)).status, 404, 'a refused request leaves no entry');

    const entries = (
      await paydesk.store.list('auditEntries', { limit: 10, where: { merchantId: merchant.id } })
    ).toReversed();
    const ofEndpoint = entries.filter(({ subject }) => subject === created.id);
    assert.deepEqual(
      ofEndpoint.map(({ actor, action, merchantId }) => [actor, action, merchantId]),
      ['created', 'updated', 'secret_rotated', 'deleted'].map((what) => [
        api_key,
        `webhook_endpoint.${what}`,
        merchant.id,
      ]),
    );
    assert.deepEqual(ofEndpoint[1]?.details, {
      livemode: false,
      origin: 'https://other.example',
      origin_before: 'https://shop.example',
      url: 'changed',
      disabled: { from: null, to: 'by_request' },
    });
    const logged = paydesk.logLines().filter(({ msg }) => msg === 'audit');
    assert.deepEqual(
      logged.map(({ id }) => id),
      ofEndpoint.map(({ id }) => id),
    );
    const written = JSON.stringify([ofEndpoint, logged]);
    for (const secret of ['token-', String(created.secret), String(rotated.secret)])
      assert.ok(!written.includes(secret));
  });

  it('has one entry for a request repeated with the same idempotency key', async (t) => {
    const paydesk = await startPaydesk(t, engine);
    const { test, merchant } = await paydesk.newMerchant();
    const headers = { 'Idempotency-Key': '6ba7b810-9dad-41d1-80b4-00c04fd430c8' };
    for (let time = 0; time < 3; time += 1) {
      must(201, await test.post('/webhook-endpoints', { url: 'https://shop.example/hooks' }, { headers }));
    }
    const entries = await paydesk.store.list('auditEntries', { limit: 10, where: { merchantId: merchant.id } });
    assert.equal(entries.filter(({ action }) => action === 'webhook_endpoint.created').length, 1);
  });
});
