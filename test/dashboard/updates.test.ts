// Live updates: open pages are told of changes, whoever makes them.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { createApiKey } from '../../src/usecases/create-api-key.ts';
import { assertRefused, entriesOf, type Fields, fieldsOf, must, textOf } from '../support/api-client.ts';
import { customerAt, formOf, pathOf } from '../support/customer.ts';
import { type DashboardClient, dashboardResponse, signIn } from '../support/dashboard.ts';
import { type CleansUp, describeOnEachEngine, postgres } from '../support/engines.ts';
import { type Paydesk, paydeskForSuite, startPaydesk } from '../support/paydesk.ts';
import { aMoment } from '../support/records.ts';
import { until } from '../support/until.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { loopbackAllowed } from '../webhooks/scene.ts';

interface OpenPage {
  readonly updates: readonly Fields[];
  readonly text: () => string;
  ended(): boolean;
  /** Waits for an update of this type, about this id unless it is omitted. */
  told(type: string, id?: unknown): Promise<void>;
  close(): Promise<void>;
}

async function openPage(test: CleansUp, { url }: Paydesk, { cookie }: DashboardClient, query = ''): Promise<OpenPage> {
  const hangUp = new AbortController();
  const response = await fetch(`${url}/dashboard/api/updates${query}`, {
    headers: { Cookie: cookie },
    signal: hangUp.signal,
  });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'text/event-stream');
  assert.ok(response.body !== null);
  const { body } = response;
  const updates: Fields[] = [];
  let text = '';
  let ended = false;
  const reading = (async () => {
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      updates.length = 0;
      for (const [, data] of text.matchAll(/^data: (.*)\n/gm)) updates.push(fieldsOf(JSON.parse(data ?? '')));
    }
  })()
    .catch(() => {})
    .finally(() => {
      ended = true;
    });
  const close = async (): Promise<void> => {
    hangUp.abort();
    await reading;
  };
  test.after(close);
  return {
    updates,
    text: () => text,
    ended: () => ended,
    close,
    told: (type, id) =>
      until(`the page is told of ${type} ${String(id)}`, () =>
        updates.some((update) => update.type === type && (id === undefined || update.id === id)),
      ),
  };
}

describeOnEachEngine('Live updates', (engine) => {
  const paydesk = paydeskForSuite(engine, { longestPauseMs: 50, settings: loopbackAllowed });

  it('tell open pages of sessions, payments, events and what users change', async (t) => {
    const shop = await paydesk().newMerchant();
    const owner = await signIn(paydesk(), shop, 'owner');
    const page = await openPage(t, paydesk(), owner, `?merchant=${shop.merchant.id}&mode=test`);
    const session = await shop.newSession();
    await page.told('checkout_session', session.id);
    await page.told('payment_intent', session.payment_intent);
    await customerAt(paydesk().url).payByCard(session.id, '4242424242424242');
    const [event] = entriesOf(await shop.test.get('/events?type=payment_intent.succeeded'));
    await page.told('event', event?.id);
    const refund = must(201, await owner.post(`/payments/${textOf(session.payment_intent)}/refund`, { amount: 100 }));
    await page.told('refund', refund.id);
    const key = must(201, await owner.post('/api-keys', { name: 'till 3' }));
    await page.told('api_key', key.id);
    must(200, await owner.patch('/settings', { name: 'Acme Coffee' }));
    await page.told('settings', shop.merchant.id);
    await page.told('audit_entry');
    const link = must(201, await shop.test.post('/payment-links', { amount: 500, currency: 'EUR' }));
    await page.told('payment_link', link.id);
  });

  it('tell of a link whose use ends with its payment', async (t) => {
    const shop = await paydesk().newMerchant();
    const owner = await signIn(paydesk(), shop, 'owner');
    const terms = { amount: 500, currency: 'EUR', capture_method: 'manual', max_uses: 1 };
    const link = must(201, await shop.test.post('/payment-links', terms));
    const customer = customerAt(paydesk().url);
    const { action, fields } = formOf(await customer.get(`/pay/${textOf(link.id)}`));
    const started = await customer.post(action, fields);
    await customer.payByCard(pathOf(started).replace('/checkout/', ''), '4242424242424242');
    const [payment] = entriesOf(await shop.test.get('/payment-intents'));
    const page = await openPage(t, paydesk(), owner);
    must(200, await shop.test.post(`/payment-intents/${textOf(payment?.id)}/cancel`));
    await page.told('payment_link', link.id);
  });

  it('tell of results of deliveries', async (t) => {
    const shop = await paydesk().newMerchant();
    const owner = await signIn(paydesk(), shop, 'owner');
    const receiver = await startWebhookReceiver(t);
    const endpoint = must(201, await shop.test.post('/webhook-endpoints', { url: `${receiver.url}/hooks` }));
    const page = await openPage(t, paydesk(), owner);
    const answer = Promise.withResolvers<void>();
    receiver.answerWith(async () => {
      await answer.promise;
      return { status: 200 };
    });
    must(201, await shop.test.post(`/webhook-endpoints/${textOf(endpoint.id)}/test`));
    await page.told('webhook_endpoint', endpoint.id);
    const count = () => page.updates.filter(({ type }) => type === 'webhook_endpoint').length;
    const before = count();
    answer.resolve();
    await until('the page is told of the result, too', () => count() > before);
    const { health } = must(200, await owner.get(`/webhook-endpoints/${textOf(endpoint.id)}`));
    assert.equal(fieldsOf(health).delivered, 1);
  });

  it('tell of what a command changes, which no process announces', async (t) => {
    const shop = await paydesk().newMerchant();
    const owner = await signIn(paydesk(), shop, 'owner');
    const page = await openPage(t, paydesk(), owner);
    const { store, clock } = paydesk();
    const context = { store, moment: () => aMoment(clock.now()), random: randomBytes, actor: 'cli:test' };
    const { key } = await createApiKey(context, shop.scope, 'made by a command');
    await page.told('api_key', key.id);
  });

  it('are of one merchant and mode, and of what the role may see', async (t) => {
    const [shop, other] = [await paydesk().newMerchant(), await paydesk().newMerchant()];
    const owner = await signIn(paydesk(), shop, 'owner');
    const support = await signIn(paydesk(), shop, 'support');
    const page = await openPage(t, paydesk(), support);
    const live = await openPage(t, paydesk(), owner, '?mode=live');
    await other.newSession();
    const key = must(201, await owner.post('/api-keys', {}));
    const session = await shop.newSession();
    must(200, await shop.test.post(`/checkout-sessions/${textOf(session.id)}/expire`));
    await page.told('checkout_session', session.id);
    await page.told('payment_intent', session.payment_intent);
    await live.told('api_key', key.id);
    assert.deepEqual(new Set(page.updates.map(({ type }) => type)), new Set(['checkout_session', 'payment_intent']));
    assert.ok(page.updates.every(({ id }) => id === session.id || id === session.payment_intent));
    assert.ok(live.updates.every(({ type }) => type === 'api_key' || type === 'audit_entry'));
  });

  it('end with the session of the user', async (t) => {
    const shop = await paydesk().newMerchant();
    const owner = await signIn(paydesk(), shop, 'owner');
    const [page, other] = [await openPage(t, paydesk(), owner), await signIn(paydesk(), shop, 'owner')];
    const stays = await openPage(t, paydesk(), other);
    must(200, await owner.delete('/session'));
    await until('the stream ends', () => page.ended());
    assert.equal(stays.ended(), false);
    const again = await fetch(`${paydesk().url}/dashboard/api/updates`, { headers: { Cookie: owner.cookie } });
    assertRefused(await dashboardResponse(again), { status: 401, code: 'sign_in_required' });
  });

  it('are limited for each user', async (t) => {
    const shop = await paydesk().newMerchant();
    const owner = await signIn(paydesk(), shop, 'owner');
    const pages: OpenPage[] = [];
    for (let count = 0; count < 20; count++) pages.push(await openPage(t, paydesk(), owner));
    const open = async () =>
      dashboardResponse(await fetch(`${paydesk().url}/dashboard/api/updates`, { headers: { Cookie: owner.cookie } }));
    assertRefused(await open(), { status: 429, code: 'rate_limited' });
    await pages[0]?.close();
    await until('there is room again', async () => {
      const aborting = new AbortController();
      const headers = { Cookie: owner.cookie };
      const { status } = await fetch(`${paydesk().url}/dashboard/api/updates`, { headers, signal: aborting.signal });
      aborting.abort();
      return status === 200;
    });
  });
});

describe('Live updates with several processes (postgres)', () => {
  it('tell of changes that another process makes', async (t) => {
    const paydesk = await startPaydesk(t, postgres);
    const another = await paydesk.startAnother();
    const shop = await another.newMerchant();
    const owner = await signIn(paydesk, shop, 'owner');
    const page = await openPage(t, paydesk, owner);
    const session = await shop.newSession();
    await page.told('checkout_session', session.id);
    await customerAt(another.url).payByCard(session.id, '4242424242424242');
    await page.told('payment_intent', session.payment_intent);
    const there = await signIn(another, shop, 'owner');
    must(200, await there.patch('/settings', { name: 'Renamed elsewhere' }));
    await page.told('settings', shop.merchant.id);
  });

  it('tell pages to read everything again after storage was away', async (t) => {
    let isAway = false;
    const paydesk = await startPaydesk(t, postgres, {
      storage: (store) => ({
        ...store,
        deliveryQueue: {
          ...store.deliveryQueue,
          recent: (...args) =>
            isAway ? Promise.reject(new Error('storage is away')) : store.deliveryQueue.recent(...args),
        },
      }),
    });
    const shop = await paydesk.newMerchant();
    const owner = await signIn(paydesk, shop, 'owner');
    const page = await openPage(t, paydesk, owner);
    isAway = true;
    await until('the process notices', () => paydesk.logLines().some(({ msg }) => /open pages/.test(String(msg))));
    assert.equal(page.ended(), false);
    isAway = false;
    await page.told('everything');
  });
});
