// Webhook endpoints over the API: what is accepted, returned and refused.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import { hostedCheckoutEventTypes, subscribableEventTypes } from '../../src/domain/event.ts';
import { maxEndpoints } from '../../src/domain/webhook-endpoint.ts';
import { assertRefused, entriesOf, type Fields, must } from '../support/api-client.ts';
import { mustCommit } from '../support/committing.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite, startPaydesk } from '../support/paydesk.ts';
import { aMoment, aWebhookEndpoint } from '../support/records.ts';

const path = '/webhook-endpoints';
const url = 'https://shop.example/webhooks';
const notFound = { status: 404, code: 'webhook_endpoint_not_found' };

function withoutSecret({ secret, ...endpoint }: Fields): Fields {
  assert.match(String(secret), /^whsec_[0-9a-z]{32,}$/);
  return endpoint;
}

describeOnEachEngine('A webhook endpoint', (engine) => {
  const paydesk = paydeskForSuite(engine);

  it('is created with a secret, and receives the four hosted checkout event types by default', async () => {
    const { test } = await paydesk().newMerchant();
    const created = must(201, await test.post(path, { url }));
    assert.match(String(created.id), /^we_[0-9a-z]{30}$/);
    assert.deepEqual(withoutSecret(created), {
      id: created.id,
      object: 'webhook_endpoint',
      url,
      description: null,
      enabled_events: [...hostedCheckoutEventTypes],
      disabled: false,
      disabled_reason: null,
      next_secret_activates_at: null,
      livemode: false,
      created_at: new Date(paydesk().clock.now()).toISOString(),
    });
    const other = must(201, await test.post(path, { url }));
    assert.notEqual(other.id, created.id, 'one address may have several endpoints');
    assert.notEqual(other.secret, created.secret);
  });

  it('accepts every field, in live mode too', async () => {
    const { live } = await paydesk().newMerchant();
    const fields = {
      url: 'https://shop.example:8443/hooks?shop=1',
      enabled_events: [...subscribableEventTypes].reverse(),
      description: 'Zürich “東京”',
      disabled: true,
    };
    const created = must(201, await live.post(path, fields));
    assert.deepEqual({ ...created, ...fields }, created);
    assert.equal(created.disabled_reason, 'by_request');
    assert.equal(created.livemode, true);
    assert.equal(must(201, await live.post(path, { url, description: null })).description, null);
  });

  it('is retrieved and listed without its secret, newest first', async () => {
    const { test } = await paydesk().newMerchant();
    const created: Fields[] = [];
    for (let count = 0; count < 3; count++) {
      paydesk().clock.advance(1);
      created.unshift(withoutSecret(must(201, await test.post(path, { url: `${url}/${count}` }))));
    }
    assert.deepEqual(entriesOf(await test.get(path)), created);
    assert.deepEqual(must(200, await test.get(`${path}/${created[0]?.id}`)), created[0]);
    const first = must(200, await test.get(`${path}?limit=2`));
    assert.deepEqual(first, { data: created.slice(0, 2), has_more: true, next_cursor: created[1]?.id });
    const second = must(200, await test.get(`${path}?limit=2&cursor=${first.next_cursor}`));
    assert.deepEqual(second, { data: created.slice(2), has_more: false, next_cursor: null });
    for (const query of ['cursor=x', 'limit=0', 'limit=101'])
      assertRefused(await test.get(`${path}?${query}`), {
        status: 400,
        code: 'parameter_invalid',
        param: query.split('=')[0] ?? '',
      });
    assertRefused(await test.get(`${path}?status=x`), { status: 400, code: 'parameter_unknown', param: 'status' });
  });

  it('is updated by merge patch: omitted fields stay, null clears the description', async () => {
    const { test } = await paydesk().newMerchant();
    const before = withoutSecret(must(201, await test.post(path, { url, description: 'Orders' })));
    const patch = (fields: Fields) => test.patch(`${path}/${before.id}`, fields);
    assert.deepEqual(must(200, await patch({})), before);
    const moved = { url: 'http://hooks.example/new', enabled_events: ['refund.failed'] };
    assert.deepEqual(must(200, await patch(moved)), { ...before, ...moved });
    const cleared = { ...before, ...moved, description: null };
    assert.deepEqual(must(200, await patch({ description: null })), cleared);
    assert.deepEqual(must(200, await test.get(`${path}/${before.id}`)), cleared);
    assertRefused(await patch({ enabled_events: null }), {
      status: 400,
      code: 'parameter_invalid',
      param: 'enabled_events',
    });
    assertRefused(await patch({ secret: 'whsec_mine' }), { status: 400, code: 'parameter_unknown', param: 'secret' });
  });

  it('is disabled on request and enabled again, which clears the reason', async () => {
    const { test, scope } = await paydesk().newMerchant();
    const { id } = must(201, await test.post(path, { url }));
    const disabled = must(200, await test.patch(`${path}/${id}`, { disabled: true }));
    assert.deepEqual([disabled.disabled, disabled.disabled_reason], [true, 'by_request']);
    const enabled = must(200, await test.patch(`${path}/${id}`, { disabled: false }));
    assert.deepEqual([enabled.disabled, enabled.disabled_reason], [false, null]);

    const stored = await paydesk().store.find('webhookEndpoints', scope, String(id));
    assert.ok(stored !== null);
    await mustCommit(paydesk().store, { webhookEndpoints: [{ ...stored, disabledReason: 'gone' }] });
    assert.equal(must(200, await test.patch(`${path}/${id}`, { disabled: true })).disabled_reason, 'gone');
    assert.equal(must(200, await test.patch(`${path}/${id}`, { disabled: false })).disabled_reason, null);
  });

  it('is not found by any operation once deleted', async () => {
    const { test } = await paydesk().newMerchant();
    const { id } = must(201, await test.post(path, { url }));
    assert.deepEqual(must(200, await test.send('DELETE', `${path}/${id}`)), {
      id,
      object: 'webhook_endpoint',
      deleted: true,
    });
    assert.deepEqual(entriesOf(await test.get(path)), []);
    for (const response of [
      await test.send('DELETE', `${path}/${id}`),
      await test.get(`${path}/${id}`),
      await test.patch(`${path}/${id}`, { disabled: true }),
      await test.post(`${path}/${id}/test`),
      await test.post(`${path}/${id}/rotate-secret`),
      await test.post(`${path}/${id}/resend-failed`, { since: '2026-01-01T00:00:00Z' }),
    ])
      assertRefused(response, notFound);
  });

  it('is not found under another id, well-formed or not', async () => {
    const { test, newSession } = await paydesk().newMerchant();
    const { id: session } = await newSession();
    for (const id of [aMoment().newId('we'), String(session), 'we_', 'x', '%00', 'x'.repeat(500)]) {
      assertRefused(await test.get(`${path}/${id}`), notFound);
      assertRefused(await test.send('DELETE', `${path}/${id}`), notFound);
    }
  });

  it('is rejected with a clear message for every invalid field, and nothing is stored', async () => {
    const { test } = await paydesk().newMerchant();
    const wrong: [string, unknown, RegExp][] = [
      ['enabled_events', [], /must not be empty/],
      ['enabled_events', 'refund.created', /array/],
      ['enabled_events', ['refund.created', 'refund.created'], /must not contain duplicates/],
      [
        'enabled_events[1]',
        ['refund.created', 'payment_intent.success'],
        /payment_intent\.succeeded, .*refund\.failed/,
      ],
      ['enabled_events[0]', ['webhook_endpoint.test'], /payment_intent\.succeeded/],
      ['enabled_events[0]', ['*'], /payment_intent\.succeeded/],
      ['description', 'x'.repeat(501), /at most 500/],
      ['description', 5, /string/],
      ['disabled', 'yes', /boolean/],
      ['disabled', null, /boolean/],
      ['url', null, /string/],
      ['url', `https://shop.example/${'x'.repeat(2048)}`, /2048/],
    ];
    const { id } = must(201, await test.post(path, { url }));
    for (const [param, value, message] of wrong) {
      const body = { url, [param.replace(/\[.*/, '')]: value };
      for (const response of [await test.post(path, body), await test.patch(`${path}/${id}`, body)]) {
        assertRefused(response, { status: 400, code: 'parameter_invalid', param });
        assert.match(String(response.error.message), message);
      }
    }
    assertRefused(await test.post(path, {}), { status: 400, code: 'parameter_missing', param: 'url' });
    assertRefused(await test.post(path, { url, events: [] }), {
      status: 400,
      code: 'parameter_unknown',
      param: 'events',
    });
    assert.equal(entriesOf(await test.get(path)).length, 1);
  });

  it('must have an address that webhooks may be sent to', async () => {
    const { test, live } = await paydesk().newMerchant();
    const never = [
      'shop.example/webhooks',
      '/webhooks',
      '//shop.example/webhooks',
      'ftp://shop.example/webhooks',
      'javascript:alert(1)',
      'https://',
      'https://user:password@shop.example/webhooks',
      'https://sk_test_1@shop.example/webhooks',
      'https://shop.example/web hooks',
      'https://127.0.0.1/webhooks',
      'https://2130706433/webhooks',
      'https://0x7f.1/webhooks',
      'https://10.0.0.1/webhooks',
      'https://192.168.1.1:8443/webhooks',
      'https://169.254.169.254/latest/meta-data',
      'https://[::1]/webhooks',
      'https://[::ffff:10.0.0.1]/webhooks',
      'https://localhost/webhooks',
      'https://metadata.google.internal/',
      'https://shop.example:22/webhooks',
    ];
    const { id } = must(201, await test.post(path, { url }));
    for (const bad of never) {
      for (const response of [
        await test.post(path, { url: bad }),
        await live.post(path, { url: bad }),
        await test.patch(`${path}/${id}`, { url: bad }),
      ])
        assertRefused(response, { status: 400, code: 'parameter_invalid', param: 'url' });
    }
    must(201, await test.post(path, { url: 'http://shop.example/webhooks' }));
    const { id: liveId } = must(201, await live.post(path, { url }));
    for (const response of [
      await live.post(path, { url: 'http://shop.example/webhooks' }),
      await live.patch(`${path}/${liveId}`, { url: 'http://shop.example/webhooks' }),
    ])
      assertRefused(response, { status: 400, code: 'parameter_invalid', param: 'url' });
  });

  it('may be on the same machine as a local service in test mode, and in networks that the settings allow', async (t) => {
    const settings = {
      PAYDESK_PUBLIC_URL: 'http://localhost:4020',
      PAYDESK_WEBHOOK_ALLOWED_NETWORKS: '10.1.0.0/16',
      PAYDESK_WEBHOOK_PORTS: '443,3000',
    };
    const { test, live } = await (await startPaydesk(t, engine, { settings })).newMerchant();
    const [here, inside] = ['http://localhost:3000/webhooks', 'https://10.1.2.3/webhooks'];
    const { id } = must(201, await test.post(path, { url: here, disabled: true }));
    must(200, await test.patch(`${path}/${id}`, { url: 'http://127.0.0.1:3000/' }));
    must(201, await test.post(path, { url: inside, disabled: true }));
    must(201, await live.post(path, { url: inside, disabled: true }));
    for (const response of [
      await live.post(path, { url: 'https://127.0.0.1:3000/' }),
      await test.post(path, { url: 'https://10.2.0.1/webhooks' }),
      await test.post(path, { url: 'https://shop.example:8443/webhooks' }),
    ])
      assertRefused(response, { status: 400, code: 'parameter_invalid', param: 'url' });
  });

  it('is created once per Idempotency-Key, and a replay includes its secret', async () => {
    const { test } = await paydesk().newMerchant();
    const headers = { 'Idempotency-Key': randomUUID() };
    const responses = await Promise.all([1, 2, 3].map(() => test.post(path, { url }, { headers })));
    const [first] = responses;
    for (const response of responses) assert.equal(response.text, first?.text);
    const again = await test.post(path, { url }, { headers });
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assert.equal(again.text, first?.text);
    assert.equal(entriesOf(await test.get(path)).length, 1);
    assertRefused(await test.post(path, { url: `${url}/2` }, { headers }), {
      status: 422,
      code: 'idempotency_key_reused',
    });
  });

  it('is refused above the limit per merchant and mode, until another is deleted', async () => {
    const { test, live, scope } = await paydesk().newMerchant();
    const { id } = must(201, await test.post(path, { url }));
    const batch = 111;
    for (let stored = 1; stored < maxEndpoints; stored += batch) {
      const count = Math.min(batch, maxEndpoints - stored);
      await mustCommit(paydesk().store, {
        webhookEndpoints: Array.from({ length: count }, () => aWebhookEndpoint({ ...scope, disabledReason: 'gone' })),
      });
    }
    assertRefused(await test.post(path, { url }), { status: 409, code: 'webhook_endpoint_limit_reached' });
    must(201, await live.post(path, { url }));
    must(200, await test.send('DELETE', `${path}/${id}`));
    must(201, await test.post(path, { url }));
  });
});
