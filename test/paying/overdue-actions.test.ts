// The session's time is up while the customer is at the provider, who may have been paid: until the provider has said so,
// nobody is told that nothing was charged, and money that arrived too late is not kept quiet.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { AcquirerSilent, type Answer, type MoneyOutcome } from '../../src/acquirers/acquirer.ts';
import { type Fields, must } from '../support/api-client.ts';
import { type PageResponse, textOfPage } from '../support/customer.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { until } from '../support/until.ts';
import { openProviderScene, type ProviderScene } from './provider-scene.ts';
import { paymentState, untilStatus } from './scene.ts';
import type { Script } from './scripted-acquirer.ts';

const action: MoneyOutcome = { kind: 'action', url: 'https://bank.example/pay' };
const done: MoneyOutcome = { kind: 'done' };
const notMade: MoneyOutcome = { kind: 'not_made' };
const silent = new AcquirerSilent('no reply');
const lifeMs = 300_000;

const notCharged = /not been charged|start again/;
const waiting = /Processing your payment.*do not close this page or pay again/;
const expired = /This payment page has expired You have not been charged/;
const tooLate = /Your payment arrived too late/;

/** A closing of the payment that the provider answers when the test says so. */
function heldAnswer() {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  return { promise, answer: (outcome: MoneyOutcome) => resolve({ outcome }) };
}

async function statusOf({ customer }: ProviderScene, { id }: Fields): Promise<Fields> {
  return JSON.parse((await customer.get(`/checkout/${id}/status`)).html) as Fields;
}

/** Follows redirects to other pages of ours. */
async function arrive(scene: ProviderScene, path: string): Promise<PageResponse> {
  let page = await scene.customer.get(path);
  while (page.location?.startsWith('/')) page = await scene.customer.follow(page);
  return page;
}

describeOnEachEngine('A session whose time is up while the customer is at the provider', (engine) => {
  async function overdue(t: Parameters<typeof openProviderScene>[0], script: Script, fields: Fields = {}) {
    const closing = heldAnswer();
    const scene = await openProviderScene(t, engine, { authorise: [action], close: [closing.promise], ...script });
    const session = await scene.sentToProvider(fields);
    scene.paydesk.clock.advance(lifeMs);
    return { scene, session, closing };
  }

  it('has a page that waits until the provider has said that it was paid', async (t) => {
    const { scene, session, closing } = await overdue(t, { inquire: [silent] });
    for (const path of [`/checkout/${session.id}`, `/checkout/${session.id}/return`, `/checkout/${session.id}/next`]) {
      const page = await arrive(scene, path);
      assert.deepEqual([page.status, page.location], [200, null], path);
      assert.match(textOfPage(page), waiting, path);
      assert.doesNotMatch(textOfPage(page), notCharged, path);
    }
    assert.equal((await statusOf(scene, session)).done, false);
    closing.answer(done);
    await untilStatus(scene, session, 'succeeded');
    assert.equal((await statusOf(scene, session)).done, true);
    assert.match(textOfPage(await scene.customer.open(session.id)), /Payment successful/);
  });

  it('has a page that says so as soon as it has expired unpaid', async (t) => {
    const { scene, session, closing } = await overdue(t, {});
    assert.match(textOfPage(await scene.customer.open(session.id)), waiting);
    closing.answer(notMade);
    await until('the page need not wait', async () => (await statusOf(scene, session)).done === true);
    const page = await scene.customer.open(session.id);
    assert.equal(page.status, 410);
    assert.match(textOfPage(page), expired);
  });

  it('is not reported as expired to the shop that embeds it, before it is', async (t) => {
    const { scene, session, closing } = await overdue(
      t,
      {},
      { ui_mode: 'embedded', return_url: 'https://shop.example' },
    );
    const headers = scene.frameHeaders(session);
    const frame = async () => {
      const page = await scene.customer.get(`/embed/${session.id}/page`, { headers });
      const status = JSON.parse((await scene.customer.get(`/embed/${session.id}/status`, { headers })).html) as Fields;
      return { state: page.headers.get('paydesk-state'), done: status.done, text: textOfPage(page) };
    };
    const before = await frame();
    assert.deepEqual([before.state, before.done], ['processing', false]);
    assert.match(before.text, waiting);
    closing.answer(done);
    await untilStatus(scene, session, 'succeeded');
    const after = await frame();
    assert.deepEqual([after.state, after.done], ['paid', true]);
  });
});

describeOnEachEngine('The page of an expired session', (engine) => {
  async function expiredAtProvider(t: Parameters<typeof openProviderScene>[0], script: Script) {
    const scene = await openProviderScene(t, engine, { authorise: [action], ...script });
    const session = await scene.sentToProvider();
    scene.paydesk.clock.advance(lifeMs);
    await untilStatus(scene, session, 'expired');
    return { scene, session };
  }
  const refunds = async ({ merchant }: ProviderScene, session: Fields): Promise<readonly Fields[]> =>
    must(200, await merchant.test.get(`/refunds?payment_intent=${session.payment_intent}`)).data as Fields[];

  it('says so at once if nobody has paid, without waiting for the job', async (t) => {
    const scene = await openProviderScene(t, engine, {});
    const session = await scene.merchant.newSession({ expires_in: 300 });
    scene.paydesk.clock.advance(lifeMs);
    const page = await scene.customer.open(session.id);
    assert.equal(page.status, 410);
    assert.match(textOfPage(page), expired);
  });

  it('does not claim that nothing was charged while the provider can still be paid', async (t) => {
    const { scene, session } = await expiredAtProvider(t, { close: [action, silent] });
    for (const path of [`/checkout/${session.id}`, `/checkout/${session.id}/return`]) {
      const page = await arrive(scene, path);
      assert.equal(page.status, 410);
      assert.match(textOfPage(page), /has expired If you have already paid, the money will be returned/);
      assert.doesNotMatch(textOfPage(page), /not been charged/);
    }
  });

  it('says that a payment arrived too late, and what becomes of the money', async (t) => {
    const returning = heldAnswer();
    const { scene, session } = await expiredAtProvider(t, { close: [action, done], refund: [returning.promise] });
    const back = await arrive(scene, `/checkout/${session.id}/return`);
    assert.equal(back.status, 410);
    assert.match(textOfPage(back), tooLate);
    assert.match(textOfPage(back), /is being returned/);
    assert.doesNotMatch(textOfPage(back), /not been charged/);
    returning.answer(done);
    await until('it is refunded', async () =>
      (await refunds(scene, session)).every(({ status }) => status === 'succeeded'),
    );
    const later = textOfPage(await scene.customer.open(session.id));
    assert.match(later, tooLate);
    assert.match(later, /has been returned/);
  });

  it('names the merchant as the one to ask if the money could not be returned', async (t) => {
    const refused: MoneyOutcome = { kind: 'declined', decline: { code: 'processing_error' } };
    const { scene, session } = await expiredAtProvider(t, { close: [action, done], refund: [refused, refused] });
    await arrive(scene, `/checkout/${session.id}/return`);
    await until('it was refused', () => scene.acquirer.calls.filter((call) => call === 'refund').length === 1);
    scene.paydesk.clock.advance(25 * 3_600_000);
    await until('it is given up', async () =>
      (await refunds(scene, session)).every(({ status }) => status === 'failed'),
    );
    const { intent } = await paymentState(scene, session);
    assert.deepEqual([intent.status, intent.amount_refunded], ['expired', 0]);
    const text = textOfPage(await scene.customer.open(session.id));
    assert.match(text, tooLate);
    assert.match(text, /could not be returned\. Please contact Shop of Tests/);
  });
});
