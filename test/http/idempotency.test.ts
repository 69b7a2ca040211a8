// The Idempotency-Key header: the first request takes effect, and every repeat gets the same response.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import { type ApiResponse, assertRefused, entriesOf, must } from '../support/api-client.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite, startPaydesk } from '../support/paydesk.ts';
import { until } from '../support/until.ts';

const good = { amount: 1250, currency: 'EUR' };
const keyed = (key: string) => ({ headers: { 'Idempotency-Key': key } });

function assertReplayed(response: ApiResponse, first: ApiResponse): void {
  assert.equal(response.status, first.status);
  assert.equal(response.text, first.text);
  assert.equal(response.headers.get('idempotent-replayed'), 'true');
  assert.notEqual(response.headers.get('request-id'), first.headers.get('request-id'));
}

describeOnEachEngine('A request with an Idempotency-Key', (engine) => {
  const paydesk = paydeskForSuite(engine);

  it('gets the first response again when repeated, and has no second effect', async () => {
    const { test } = await paydesk().newMerchant();
    const key = randomUUID();
    const first = await test.post('/checkout-sessions', good, keyed(key));
    must(201, first);
    assert.equal(first.headers.get('idempotent-replayed'), null);
    paydesk().clock.advance(60_000);
    assertReplayed(await test.post('/checkout-sessions', good, keyed(key)), first);
    assertReplayed(await test.post('/checkout-sessions', good, keyed(key.toUpperCase())), first);
    assert.equal(entriesOf(await test.get('/checkout-sessions')).length, 1);
    assert.equal(entriesOf(await test.get('/payment-intents')).length, 1);
  });

  it('is accepted by every POST of the API', async () => {
    const response = await fetch(`${paydesk().url}/openapi.json`);
    const { paths } = (await response.json()) as {
      paths: Record<string, { post?: { parameters?: { name: string }[] } }>;
    };
    const posts = Object.entries(paths).flatMap(([path, { post }]) => (post === undefined ? [] : [{ path, post }]));
    assert.ok(posts.length >= 10);
    for (const { path, post } of posts) {
      assert.ok(
        post.parameters?.some(({ name }) => name === 'Idempotency-Key'),
        path,
      );
    }
  });

  it('is the same request whatever its field order and white space', async () => {
    const { test } = await paydesk().newMerchant();
    const key = randomUUID();
    const body = { ...good, metadata: { a: '1', b: '2' }, line_items: [{ name: 'T', quantity: 1, unit_amount: 1250 }] };
    const first = await test.post('/checkout-sessions', body, keyed(key));
    must(201, first);
    const raw = `{ "line_items" : [ {"unit_amount":1.25e3,"quantity":1,"name":"\\u0054"} ],
      "metadata": {"b":"2", "a":"1"}, "currency": "EUR",\n "amount": 1250 }`;
    const headers = { ...keyed(key).headers, 'Content-Type': 'application/json; charset=utf-8' };
    assertReplayed(await test.send('POST', '/checkout-sessions', { raw, headers }), first);
  });

  it('is refused with 422 when the key was used for another request, and has no effect', async () => {
    const { test, newSession } = await paydesk().newMerchant();
    const session = await newSession();
    const key = randomUUID();
    must(201, await test.post('/checkout-sessions', { ...good, metadata: { a: '1' } }, keyed(key)));
    const others = [
      test.post('/checkout-sessions', good, keyed(key)),
      test.post('/checkout-sessions', { ...good, metadata: { a: '2' } }, keyed(key)),
      test.post('/checkout-sessions', { ...good, amount: 1251, metadata: { a: '1' } }, keyed(key)),
      test.post(`/checkout-sessions/${session.id}/expire`, {}, keyed(key)),
      test.post(`/payment-intents/${session.payment_intent}/cancel`, {}, keyed(key)),
    ];
    for (const response of await Promise.all(others)) {
      assertRefused(response, { status: 422, code: 'idempotency_key_reused' });
      assert.equal(response.error.type, 'idempotency_error');
      assert.equal(response.headers.get('idempotent-replayed'), null);
    }
    assert.equal(must(200, await test.get(`/checkout-sessions/${session.id}`)).status, 'open');
    assert.equal(entriesOf(await test.get('/checkout-sessions')).length, 2);
  });

  it('is refused with 400 when the key is not a UUID, and nothing is stored', async () => {
    const { test, newSession } = await paydesk().newMerchant();
    const { id, payment_intent } = await newSession();
    const uuid = randomUUID();
    const paths = [
      '/checkout-sessions',
      `/checkout-sessions/${id}/expire`,
      `/payment-intents/${payment_intent}/cancel`,
    ];
    for (const key of ['', ' ', 'order-1', uuid.replaceAll('-', ''), `${uuid}0`, `{${uuid}}`, `${uuid}, ${uuid}`]) {
      for (const path of paths) {
        const response = await test.post(path, path === '/checkout-sessions' ? good : {}, keyed(key));
        assertRefused(response, { status: 400, code: 'idempotency_key_invalid' });
      }
    }
    assert.equal(entriesOf(await test.get('/checkout-sessions?status=open')).length, 1);
  });

  it('does not clash with the same key of another merchant or mode', async () => {
    const one = await paydesk().newMerchant();
    const other = await paydesk().newMerchant();
    const key = randomUUID();
    const first = must(201, await one.test.post('/checkout-sessions', good, keyed(key)));
    const second = must(201, await other.test.post('/checkout-sessions', { ...good, amount: 7 }, keyed(key)));
    assert.notEqual(first.id, second.id);
    const live = await one.live.post('/checkout-sessions', good, keyed(key));
    assertRefused(live, { status: 400, code: 'live_mode_not_configured' });
  });

  it('can be corrected after a refusal, which stores nothing', async () => {
    const { test } = await paydesk().newMerchant();
    const key = randomUUID();
    assert.equal((await test.post('/checkout-sessions', { ...good, amount: -1 }, keyed(key))).status, 400);
    assert.equal((await test.post('/checkout-sessions', { ...good, currency: 'BGN' }, keyed(key))).status, 400);
    const first = await test.post('/checkout-sessions', good, keyed(key));
    must(201, first);
    assertReplayed(await test.post('/checkout-sessions', good, keyed(key)), first);
  });

  it('replays expire and cancel, with one event each', async () => {
    const { test, newSession, events } = await paydesk().newMerchant();
    const one = await newSession();
    const other = await newSession();
    const paths = [`/checkout-sessions/${one.id}/expire`, `/payment-intents/${other.payment_intent}/cancel`];
    for (const path of paths) {
      const key = randomUUID();
      const first = await test.post(path, {}, keyed(key));
      must(200, first);
      assertReplayed(await test.post(path, {}, keyed(key)), first);
      assertReplayed(await test.post(path, undefined, keyed(key)), first);
      assert.equal((await test.post(path, {}, keyed(randomUUID()))).status, 409);
    }
    const types = (await events()).map(({ type }) => type).sort();
    assert.deepEqual(types, ['checkout_session.expired', 'checkout_session.expired', 'payment_intent.canceled']);
  });

  it('gets the first response even if the session has changed since', async () => {
    const { test } = await paydesk().newMerchant();
    const key = randomUUID();
    const first = await test.post('/checkout-sessions', good, keyed(key));
    const { id } = must(201, first);
    must(200, await test.patch(`/checkout-sessions/${id}`, { amount: 99 }));
    must(200, await test.post(`/checkout-sessions/${id}/expire`));
    assertReplayed(await test.post('/checkout-sessions', good, keyed(key)), first);
  });
});

describeOnEachEngine('Fifty requests at once with one Idempotency-Key', (engine) => {
  const paydesk = paydeskForSuite(engine);

  function assertAllTheSame(responses: readonly ApiResponse[], status: number): void {
    for (const response of responses) assert.equal(response.status, status, response.text);
    assert.equal(new Set(responses.map(({ text }) => text)).size, 1);
    const first = responses.filter(({ headers }) => headers.get('idempotent-replayed') === null);
    assert.equal(first.length, 1, 'one of them was the first');
  }

  it('create one session and get one response', async () => {
    const { test } = await paydesk().newMerchant();
    const key = randomUUID();
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => test.post('/checkout-sessions', good, keyed(key))),
    );
    assertAllTheSame(responses, 201);
    assert.equal(entriesOf(await test.get('/checkout-sessions')).length, 1);
    assert.equal(entriesOf(await test.get('/payment-intents')).length, 1);
  });

  it('expire one session, or cancel one payment, and get one response', async () => {
    const { test, newSession, events } = await paydesk().newMerchant();
    const expiring = await newSession();
    const canceling = await newSession();
    const paths = [`/checkout-sessions/${expiring.id}/expire`, `/payment-intents/${canceling.payment_intent}/cancel`];
    for (const path of paths) {
      const key = randomUUID();
      assertAllTheSame(await Promise.all(Array.from({ length: 50 }, () => test.post(path, {}, keyed(key)))), 200);
    }
    assert.equal((await events()).length, 3);
  });

  it('with different bodies have one winner; the others get idempotency_key_reused', async () => {
    const { test } = await paydesk().newMerchant();
    const key = randomUUID();
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, at) => test.post('/checkout-sessions', { ...good, amount: 1 + at }, keyed(key))),
    );
    assert.equal(responses.filter(({ status }) => status === 201).length, 1);
    assert.equal(responses.filter(({ error }) => error.code === 'idempotency_key_reused').length, 49);
    assert.equal(entriesOf(await test.get('/checkout-sessions')).length, 1);
  });
});

describeOnEachEngine('A stored response', (engine) => {
  it('is kept for 24 hours and pruned after', async (t) => {
    const { clock, store, stop, newMerchant, startAnother } = await startPaydesk(t, engine);
    const { test, scope } = await newMerchant();
    const key = randomUUID();
    const first = await test.post('/checkout-sessions', { ...good, expires_in: 86_400 }, keyed(key));
    must(201, first);
    const storedAt = clock.now();
    clock.set(storedAt + 86_400_000);
    assertReplayed(await test.post('/checkout-sessions', { ...good, expires_in: 86_400 }, keyed(key)), first);
    // Pruning runs at startup, then once a minute, so the next process prunes at once.
    await stop();
    const another = await startAnother({ runningClock: { now: () => storedAt + 86_400_001 } });
    await until('the record is pruned', async () => (await store.find('idempotencyRecords', scope, key)) === null);
    await another.stop();
  });

  it('has a sealed body', async (t) => {
    const { store, secretBox, newMerchant } = await startPaydesk(t, engine);
    const { test, scope } = await newMerchant();
    const key = randomUUID();
    const first = await test.post('/checkout-sessions', { ...good, metadata: { order: 'plain text' } }, keyed(key));
    const { id, client_secret } = must(201, first);
    const record = await store.find('idempotencyRecords', scope, key);
    const sealed = Buffer.from(record?.sealedBody ?? []);
    assert.ok(sealed.length > 100);
    for (const plaintext of [id, client_secret, 'plain text', 'checkout_session']) {
      assert.equal(sealed.indexOf(String(plaintext)), -1, String(plaintext));
    }
    assert.equal(secretBox.open(sealed, `idempotency ${scope.merchantId} false ${key}`), first.text);
    assert.throws(() => secretBox.open(sealed, `idempotency ${scope.merchantId} true ${key}`));
  });
});
