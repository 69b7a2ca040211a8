// How payments use up a payment link: never more than `max_uses`, however many customers pay at once, and those who come
// too late are told before they are charged.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused, entriesOf, type Fields, must } from '../support/api-client.ts';
import { type Customer, customerAt, formOf, pathOf, textOfPage } from '../support/customer.ts';
import { type CleansUp, describeOnEachEngine, type Engine, postgres } from '../support/engines.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { secretKey, shortAcquirerTimeout, startPaydesk, systemClock, type TestMerchant } from '../support/paydesk.ts';
import { databaseUrl, freshFolder, servePaydesk } from '../support/paydesk-process.ts';
import { sandboxPayment } from '../support/sandbox-books.ts';
import { until } from '../support/until.ts';
import { manyDeclines, paid, paymentState, type Shop, untilStatus } from './scene.ts';

const good = '4242424242424242';
const declined = '4000000000000002';
const challenged = '4000000000003220';
const silentThenApproved = '4000000000000093';
const settings = { ...manyDeclines, PAYDESK_LINK_STARTS_PER_MINUTE: '1000' };

interface Scene extends Shop {
  readonly clock: ReturnType<typeof fakeClock>;
}

async function scene(t: CleansUp, engine: Engine, further: Readonly<Record<string, string>> = {}): Promise<Scene> {
  const clock = fakeClock();
  const paydesk = await startPaydesk(t, engine, { settings: { ...settings, ...further }, runningClock: clock });
  return { paydesk, merchant: await paydesk.newMerchant(), customer: customerAt(paydesk.url), clock };
}

async function newLink({ test }: TestMerchant, fields: Fields = {}): Promise<Fields> {
  return must(201, await test.post('/payment-links', { amount: 1250, currency: 'EUR', ...fields }));
}

/** Continues from the link as a new visitor; returns the session and its customer. */
async function start(
  { merchant }: Pick<Shop, 'merchant'>,
  url: string,
  link: Fields,
): Promise<{ customer: Customer; session: Fields }> {
  const customer = customerAt(url);
  const form = formOf(await customer.get(`/pay/${link.id}`));
  const id = pathOf(await customer.post(form.action, form.fields)).replace('/checkout/', '');
  return { customer, session: must(200, await merchant.test.get(`/checkout-sessions/${id}`)) };
}

async function linkNow({ merchant }: Pick<Shop, 'merchant'>, link: Fields): Promise<Fields> {
  return must(200, await merchant.test.get(`/payment-links/${link.id}`));
}

/** Status, started, paid, and how many are being paid. */
async function counts(shop: Shop, link: Fields): Promise<unknown[]> {
  const { status, times_used, times_completed } = await linkNow(shop, link);
  const stored = await shop.paydesk.store.find('paymentLinks', shop.merchant.scope, String(link.id));
  return [status, times_used, times_completed, stored?.timesReserved];
}

/** All pay at the same time; returns how many payments the acquirer took money for, and the pages of the others. */
async function race(shop: Shop, started: readonly { customer: Customer; session: Fields }[]) {
  const forms = await Promise.all(
    started.map(async ({ customer, session }) => formOf(await customer.open(session.id))),
  );
  const responses = await Promise.all(
    started.map(({ customer }, at) => customer.payForm(forms[at] ?? assert.fail(), good)),
  );
  const told = responses.filter(({ html }) => html.includes('Someone else was faster'));
  const redirected = responses.filter(({ status }) => status === 303);
  assert.equal(told.length + redirected.length, started.length, 'everyone was told or has paid');
  const operations = forms.map((form) => form.fields.attempt?.split('.')[0] ?? '');
  const charges = await Promise.all(operations.map((id) => sandboxPayment(shop.paydesk.store, id)));
  const charged = charges.filter((payment) => payment !== null && payment.amountCaptured > 0).length;
  return { told, charged };
}

describeOnEachEngine('A payment link', (engine) => {
  it('with one use left is paid once by ten customers at a time, and the others are told before a charge', async (t) => {
    const shop = await scene(t, engine);
    const link = await newLink(shop.merchant, { max_uses: 2 });
    const first = await start(shop, shop.paydesk.url, link);
    await first.customer.payByCard(first.session.id, good);
    const started = await Promise.all(Array.from({ length: 10 }, () => start(shop, shop.paydesk.url, link)));
    assert.deepEqual(await counts(shop, link), ['active', 11, 1, 0]);
    const { told, charged } = await race(shop, started);
    assert.deepEqual([told.length, charged], [9, 1]);
    for (const page of told) assert.match(textOfPage(page), /You have not been charged/);
    assert.deepEqual(await counts(shop, link), ['completed', 11, 2, 0]);
    const succeeded = entriesOf(
      await shop.merchant.test.get(`/payment-intents?payment_link=${link.id}&status=succeeded`),
    );
    assert.equal(succeeded.length, 2);
    const events = (await shop.merchant.events()).map(({ type }) => type);
    assert.deepEqual(events.toSorted(), [...paid, ...paid].toSorted());
  });

  it('without a limit is paid by everyone, and starting a payment does not touch it', async (t) => {
    const shop = await scene(t, engine);
    const link = await newLink(shop.merchant);
    const versionOf = async (): Promise<unknown> =>
      (await shop.paydesk.store.find('paymentLinks', shop.merchant.scope, String(link.id)))?.version;
    const challenging = await start(shop, shop.paydesk.url, link);
    const before = await versionOf();
    const action = await challenging.customer.payByCard(challenging.session.id, challenged);
    assert.equal(await versionOf(), before);
    await challenging.customer.choose(action, 'pass');
    await untilStatus(shop, challenging.session, 'succeeded');
    const started = await Promise.all(Array.from({ length: 12 }, () => start(shop, shop.paydesk.url, link)));
    const { told, charged } = await race(shop, started);
    assert.deepEqual([told.length, charged], [0, 12]);
    assert.deepEqual(await counts(shop, link), ['active', 13, 13, 0]);
  });

  it('is never paid too often, and counts right, when customers pay, fail and come back at the same time', async (t) => {
    const shop = await scene(t, engine);
    const link = await newLink(shop.merchant, { max_uses: 4 });
    const shopping = async (at: number): Promise<void> => {
      const { customer, session } = await start(shop, shop.paydesk.url, link);
      const form = async () => {
        const page = await customer.open(session.id);
        return page.html.includes('<form') ? formOf(page) : null;
      };
      const first = at % 4 === 0 ? await form() : null;
      if (first !== null) await customer.payForm(first, declined);
      const second = await form();
      if (second === null) return;
      const response = await customer.payForm(second, at % 2 === 0 ? good : challenged);
      if (response.location?.includes('/sandbox-challenge/'))
        await customer.choose(response, at % 3 === 0 ? 'fail' : 'pass');
    };
    await Promise.all(Array.from({ length: 16 }, (_, at) => shopping(at)));
    const statusesNow = async (): Promise<unknown[]> =>
      entriesOf(await shop.merchant.test.get(`/payment-intents?payment_link=${link.id}`)).map(({ status }) => status);
    await until('no payment is in progress', async () =>
      (await statusesNow()).every((status) => status === 'succeeded' || status === 'requires_payment_method'),
    );
    const succeeded = (await statusesNow()).filter((status) => status === 'succeeded').length;
    // Some were told that others are paying, who then failed.
    assert.ok(succeeded <= 4, `${succeeded} have paid`);
    assert.deepEqual((await counts(shop, link)).slice(1), [16, succeeded, 0]);
    for (let left = 4 - succeeded; left > 0; left -= 1) {
      const { customer, session } = await start(shop, shop.paydesk.url, link);
      await customer.payByCard(session.id, good);
    }
    assert.deepEqual((await counts(shop, link)).toSpliced(1, 1), ['completed', 4, 0]);
  });

  it('gets its use back when the card is declined', async (t) => {
    const shop = await scene(t, engine);
    const link = await newLink(shop.merchant, { max_uses: 1 });
    const one = await start(shop, shop.paydesk.url, link);
    const other = await start(shop, shop.paydesk.url, link);
    await one.customer.payByCard(one.session.id, declined);
    const form = formOf(await one.customer.open(one.session.id));
    assert.deepEqual(await counts(shop, link), ['active', 2, 0, 0]);
    await other.customer.payByCard(other.session.id, good);
    assert.deepEqual(await counts(shop, link), ['completed', 2, 1, 0]);
    for (const late of [await one.customer.payForm(form, good), await one.customer.open(one.session.id)]) {
      assert.match(textOfPage(late), /Someone else was faster/);
      assert.doesNotMatch(late.html, /<form/);
    }
    assert.equal((await paymentState(shop, one.session)).intent.status, 'requires_payment_method');
  });

  it('is kept for a customer at their bank, and free again when they fail, cancel or run out of time', async (t) => {
    const shop = await scene(t, engine);
    const link = await newLink(shop.merchant, { max_uses: 1 });
    for (const result of ['fail', 'cancel'] as const) {
      const one = await start(shop, shop.paydesk.url, link);
      const other = await start(shop, shop.paydesk.url, link);
      const form = formOf(await other.customer.open(other.session.id));
      const action = await one.customer.payByCard(one.session.id, challenged);
      assert.deepEqual((await counts(shop, link)).slice(2), [0, 1]);
      const told = await other.customer.payForm(form, good);
      assert.match(textOfPage(told), /Someone else was faster/);
      const visitor = await customerAt(shop.paydesk.url).get(`/pay/${link.id}`);
      assert.equal(visitor.status, 409);
      assert.match(textOfPage(visitor), /Someone else was faster/);
      const own = await one.customer.get(`/pay/${link.id}`);
      assert.equal(pathOf(own), `/checkout/${one.session.id}`, 'their own payment goes on');
      await one.customer.choose(action, result);
      await untilStatus(shop, one.session, 'requires_payment_method');
      assert.deepEqual((await counts(shop, link)).slice(2), [0, 0]);
    }
    const slow = await start(shop, shop.paydesk.url, link);
    await slow.customer.payByCard(slow.session.id, challenged);
    assert.deepEqual((await counts(shop, link)).slice(2), [0, 1]);
    shop.clock.advance(1_800_000);
    await untilStatus(shop, slow.session, 'expired');
    assert.deepEqual((await counts(shop, link)).slice(2), [0, 0]);
    const next = await start(shop, shop.paydesk.url, link);
    await next.customer.choose(await next.customer.payByCard(next.session.id, challenged), 'pass');
    await untilStatus(shop, next.session, 'succeeded');
    assert.deepEqual((await counts(shop, link)).slice(2), [1, 0]);
  });

  it('counts an authorised payment as paid, until it is canceled', async (t) => {
    const shop = await scene(t, engine);
    const link = await newLink(shop.merchant, { max_uses: 1, capture_method: 'manual' });
    const one = await start(shop, shop.paydesk.url, link);
    await one.customer.payByCard(one.session.id, good);
    assert.deepEqual(await counts(shop, link), ['completed', 1, 1, 0]);
    must(200, await shop.merchant.test.post(`/payment-intents/${one.session.payment_intent}/cancel`, {}));
    assert.deepEqual(await counts(shop, link), ['active', 1, 0, 0]);
    const other = await start(shop, shop.paydesk.url, link);
    await other.customer.payByCard(other.session.id, good);
    must(200, await shop.merchant.test.post(`/payment-intents/${other.session.payment_intent}/capture`, {}));
    must(201, await shop.merchant.test.post(`/payment-intents/${other.session.payment_intent}/refund`, {}));
    assert.deepEqual(await counts(shop, link), ['completed', 2, 1, 0], 'a refund does not make room');
  });

  it('keeps a use for a payment that settles later, and gives it back if that fails', async (t) => {
    const shop = await scene(t, engine);
    const link = await newLink(shop.merchant, { max_uses: 1 });
    for (const [result, ...expected] of [
      ['fail_later', 'active', 0, 0],
      ['pass', 'completed', 1, 0],
    ] as const) {
      const one = await start(shop, shop.paydesk.url, link);
      await one.customer.choose(await one.customer.payBy(one.session.id, 'sepa_debit'), result);
      assert.deepEqual((await counts(shop, link)).slice(2), [0, 1]);
      shop.clock.advance(6_000);
      await until('it has settled', async () => (await counts(shop, link))[3] === 0);
      const [status, , ...rest] = await counts(shop, link);
      assert.deepEqual([status, ...rest], expected);
    }
  });

  it('counts a payment once whose outcome the acquirer tells later', async (t) => {
    const shop = await scene(t, engine, shortAcquirerTimeout);
    const link = await newLink(shop.merchant, { max_uses: 2 });
    const one = await start(shop, shop.paydesk.url, link);
    await one.customer.payByCard(one.session.id, silentThenApproved);
    assert.deepEqual((await counts(shop, link)).slice(2), [0, 1]);
    await until('it was asked about', async () => {
      shop.clock.advance(5_000);
      return (await paymentState(shop, one.session)).intent.status === 'succeeded';
    });
    assert.deepEqual(await counts(shop, link), ['active', 1, 1, 0]);
  });

  it('cannot be limited to fewer uses than were made or are in progress', async (t) => {
    const shop = await scene(t, engine);
    const link = await newLink(shop.merchant, { max_uses: 5 });
    const path = `/payment-links/${link.id}`;
    const one = await start(shop, shop.paydesk.url, link);
    await one.customer.payByCard(one.session.id, good);
    const other = await start(shop, shop.paydesk.url, link);
    const action = await other.customer.payByCard(other.session.id, challenged);
    assertRefused(await shop.merchant.test.patch(path, { max_uses: 1 }), {
      status: 400,
      code: 'parameter_invalid',
      param: 'max_uses',
    });
    assert.equal(must(200, await shop.merchant.test.patch(path, { max_uses: 2 })).status, 'active');
    await other.customer.choose(action, 'pass');
    await untilStatus(shop, other.session, 'succeeded');
    assert.deepEqual(await counts(shop, link), ['completed', 2, 2, 0]);
    assert.equal(must(200, await shop.merchant.test.patch(path, { max_uses: 3 })).status, 'active');
  });

  it('that is deactivated can still be paid by those who have started', async (t) => {
    const shop = await scene(t, engine);
    const link = await newLink(shop.merchant);
    const one = await start(shop, shop.paydesk.url, link);
    must(200, await shop.merchant.test.patch(`/payment-links/${link.id}`, { active: false }));
    await one.customer.payByCard(one.session.id, good);
    assert.deepEqual(await counts(shop, link), ['inactive', 1, 1, 0]);
  });
});

describe('A payment link on two processes (postgres)', () => {
  it('is paid once by ten customers at a time, five at each', async (t) => {
    const paydesk = await startPaydesk(t, postgres, { settings, runningClock: systemClock });
    const folder = await freshFolder(t);
    const other = await servePaydesk(t, {
      folder,
      settings: {
        ...settings,
        DATABASE_URL: databaseUrl(paydesk.address),
        PAYDESK_SECRET_KEY: Buffer.from(secretKey).toString('base64'),
        PAYDESK_PUBLIC_URL: 'https://pay.test.example',
      },
    });
    const shop: Shop = { paydesk, merchant: await paydesk.newMerchant(), customer: customerAt(paydesk.url) };
    for (let round = 0; round < 3; round += 1) {
      const link = await newLink(shop.merchant, { max_uses: 1 });
      const started = await Promise.all(
        Array.from({ length: 10 }, (_, at) => start(shop, at % 2 === 0 ? paydesk.url : other.url, link)),
      );
      const { told, charged } = await race(shop, started);
      assert.deepEqual([told.length, charged], [9, 1]);
      assert.deepEqual(await counts(shop, link), ['completed', 10, 1, 0]);
    }
    const unlimited = await newLink(shop.merchant);
    const started = await Promise.all(
      Array.from({ length: 20 }, (_, at) => start(shop, at % 2 === 0 ? paydesk.url : other.url, unlimited)),
    );
    assert.deepEqual((await race(shop, started)).charged, 20);
    assert.deepEqual(await counts(shop, unlimited), ['active', 20, 20, 0]);
  });
});
