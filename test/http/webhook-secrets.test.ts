// The secrets of webhook endpoints: shown once, sealed at rest, rotated on time, wiped with their endpoint.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { signingSecret, type WebhookEndpoint } from '../../src/domain/webhook-endpoint.ts';
import { type ApiClient, assertRefused, type Fields, must } from '../support/api-client.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite, type TestMerchant } from '../support/paydesk.ts';
import { withClient } from '../support/postgres-admin.ts';
import { storedBytes } from '../support/stored-bytes.ts';

const path = '/webhook-endpoints';
const url = 'https://shop.example/webhooks';
const day = 86_400_000;
const iso = (ms: number): string => new Date(ms).toISOString();

describeOnEachEngine('The secret of a webhook endpoint', (engine) => {
  const paydesk = paydeskForSuite(engine);
  const create = async ({ test }: { test: ApiClient }): Promise<Fields> => must(201, await test.post(path, { url }));

  async function stored({ scope }: TestMerchant, id: unknown): Promise<WebhookEndpoint> {
    const endpoint = await paydesk().store.find('webhookEndpoints', scope, String(id));
    assert.ok(endpoint !== null);
    return endpoint;
  }
  /** The secret that would sign a webhook now. */
  const activeSecret = async (merchant: TestMerchant, id: unknown): Promise<string> =>
    signingSecret(paydesk().secretBox, await stored(merchant, id), paydesk().clock.now());

  /** The stored lengths of the sealed secret and of the next one; null if there is none. */
  async function sealedLengths(id: unknown): Promise<unknown[]> {
    const sql = `SELECT length(secret) AS one, length(next_secret) AS next FROM webhook_endpoints WHERE id = '${id}'`;
    const { address } = paydesk();
    if (address.engine === 'sqlite') {
      using database = new DatabaseSync(address.path, { readOnly: true });
      return Object.values(database.prepare(sql).get() ?? {});
    }
    return withClient(address.url, async (client) => Object.values((await client.query(sql)).rows[0] ?? {}));
  }

  it('is active from creation on', async () => {
    const merchant = await paydesk().newMerchant();
    const { id, secret } = await create(merchant);
    assert.equal(await activeSecret(merchant, id), secret);
  });

  it('is replaced by the next one a day after rotation, to the millisecond', async () => {
    const merchant = await paydesk().newMerchant();
    const { id, secret, ...before } = await create(merchant);
    const rotatedAt = paydesk().clock.now();
    const next = must(200, await merchant.test.post(`${path}/${id}/rotate-secret`));
    assert.deepEqual(next, {
      id,
      ...before,
      next_secret_activates_at: iso(rotatedAt + day),
      secret: next.secret,
    });
    assert.match(String(next.secret), /^whsec_/);
    assert.notEqual(next.secret, secret);
    const { secret: _, ...shown } = next;
    assert.deepEqual(must(200, await merchant.test.get(`${path}/${id}`)), shown);

    paydesk().clock.set(rotatedAt + day - 1);
    assert.equal(await activeSecret(merchant, id), secret);
    paydesk().clock.set(rotatedAt + day);
    assert.equal(await activeSecret(merchant, id), next.secret);
    const after = must(200, await merchant.test.get(`${path}/${id}`));
    assert.equal(after.next_secret_activates_at, null, 'none is pending any more');
  });

  it('is replaced at once by a rotation with activates_in 0', async () => {
    const merchant = await paydesk().newMerchant();
    const { id } = await create(merchant);
    const next = must(200, await merchant.test.post(`${path}/${id}/rotate-secret`, { activates_in: 0 }));
    assert.equal(next.next_secret_activates_at, null);
    assert.equal(await activeSecret(merchant, id), next.secret);
    const { secret, nextSecret } = await stored(merchant, id);
    assert.ok(secret.length > 0);
    assert.equal(nextSecret, null, 'the old one is gone');
  });

  it('that is pending is replaced by a second rotation; the active one stays until then', async () => {
    const merchant = await paydesk().newMerchant();
    const { id, secret } = await create(merchant);
    const rotate = async (seconds: number) =>
      must(200, await merchant.test.post(`${path}/${id}/rotate-secret`, { activates_in: seconds }));
    await rotate(100);
    const second = await rotate(200);
    paydesk().clock.advance(150_000);
    assert.equal(await activeSecret(merchant, id), secret);
    paydesk().clock.advance(50_000);
    assert.equal(await activeSecret(merchant, id), second.secret);
    const third = await rotate(604_800);
    assert.equal(await activeSecret(merchant, id), second.secret);
    paydesk().clock.advance(604_800_000);
    assert.equal(await activeSecret(merchant, id), third.secret);
  });

  it('is rotated once per Idempotency-Key', async () => {
    const merchant = await paydesk().newMerchant();
    const { id } = await create(merchant);
    const headers = { 'Idempotency-Key': randomUUID() };
    const rotate = () => merchant.test.post(`${path}/${id}/rotate-secret`, { activates_in: 0 }, { headers });
    const first = await rotate();
    must(200, first);
    const again = await rotate();
    assert.equal(again.text, first.text);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assert.equal(await activeSecret(merchant, id), first.body.secret);
  });

  it('is not rotated if activates_in is out of range; that of a disabled endpoint can be rotated', async () => {
    const merchant = await paydesk().newMerchant();
    const { id, secret } = await create(merchant);
    for (const activates_in of [-1, 604_801, 1.5, '60', null]) {
      assertRefused(await merchant.test.post(`${path}/${id}/rotate-secret`, { activates_in }), {
        status: 400,
        code: 'parameter_invalid',
        param: 'activates_in',
      });
    }
    assert.equal(await activeSecret(merchant, id), secret);
    must(200, await merchant.test.patch(`${path}/${id}`, { disabled: true }));
    must(200, await merchant.test.post(`${path}/${id}/rotate-secret`));
  });

  it('is wiped when the endpoint is deleted', async () => {
    const merchant = await paydesk().newMerchant();
    const { id } = await create(merchant);
    must(200, await merchant.test.post(`${path}/${id}/rotate-secret`));
    assert.deepEqual((await sealedLengths(id)).map(Boolean), [true, true]);
    must(200, await merchant.test.send('DELETE', `${path}/${id}`));
    assert.deepEqual(await sealedLengths(id), [0, null]);
  });

  it('is not in the database, the logs, or any response but the one that creates it', async () => {
    const merchant = await paydesk().newMerchant();
    const headers = { 'Idempotency-Key': randomUUID() };
    const { id, secret } = must(201, await merchant.test.post(path, { url }, { headers }));
    const next = must(200, await merchant.test.post(`${path}/${id}/rotate-secret`, {}, { headers: {} }));
    const { id: event } = must(201, await merchant.test.post(`${path}/${id}/test`));
    const responses = [
      await merchant.test.get(path),
      await merchant.test.get(`${path}/${id}`),
      await merchant.test.patch(`${path}/${id}`, { description: 'x' }),
      await merchant.test.get(`/events/${event}`),
      await merchant.test.get(`/events/${event}/deliveries`),
      await merchant.test.send('DELETE', `${path}/${id}`),
    ];
    const logs = JSON.stringify(paydesk().logLines());
    const database = await storedBytes(paydesk().address);
    assert.ok(database.includes(String(id)));
    for (const kept of [String(secret), String(next.secret)]) {
      for (const { text } of responses) assert.ok(!text.includes(kept));
      for (const part of [kept, kept.slice(6), kept.slice(-20)]) {
        assert.ok(!logs.includes(part));
        assert.equal(database.indexOf(part), -1);
        assert.equal(database.indexOf(Buffer.from(part).toString('hex')), -1);
      }
    }
  });
});
