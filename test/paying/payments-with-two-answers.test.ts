// A process that stalls sends a payment's request late, or not at all, when another process has sent it already. What the
// provider accepted counts, whichever answer comes first.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { AcquirerSilent, type Answer } from '../../src/acquirers/acquirer.ts';
import { type CleansUp, describeOnEachEngine } from '../support/engines.ts';
import { until } from '../support/until.ts';
import { scriptedAcquirer } from './scripted-acquirer.ts';
import { scriptedScene } from './scripted-scene.ts';

const url = 'https://bank.example/pay';
const accepted: Answer = { outcome: { kind: 'action', url }, reference: 'tr_1' };
const paid: Answer = { outcome: { kind: 'done' }, reference: 'tr_1' };
const ready: Answer = { outcome: { kind: 'ready' }, notAsked: true };
const refused: Answer = { outcome: { kind: 'declined', decline: { code: 'processing_error' } } };
const longerThanTheFirstWaits = 60_000;

describeOnEachEngine('A payment that two processes send', (engine) => {
  /** The customer's process stalls in its request, and a job sends it too, whose answer comes second or is first. */
  async function sentTwice(t: CleansUp, second: Answer | Promise<Answer>, inquire: Answer[] = []) {
    const stalled = Promise.withResolvers<Answer>();
    const acquirer = scriptedAcquirer({
      authorise: [stalled.promise, second],
      inquire: [ready, ...inquire],
      refund: [{ outcome: { kind: 'done' }, reference: 're_1' }],
    });
    const shop = await scriptedScene(t, engine, acquirer);
    const id = shop.deps.moment().newId('op');
    const customer = shop.pay(id, { method: 'ideal' });
    await until('the first request is on its way', async () => acquirer.calls.length === 1);
    const job = shop.reconcileAfter(longerThanTheFirstWaits);
    await until('the second request is on its way', async () => acquirer.calls.length === 3);
    assert.deepEqual(acquirer.calls, ['authorise', 'inquire', 'authorise']);
    return { ...shop, id, customer, job, stalled };
  }
  const notSent = (): AcquirerSilent => new AcquirerSilent('the provider is down', { notSent: true });

  for (const [what, answer] of [
    ['was not sent by the other after all', (): Promise<never> => Promise.reject(notSent())],
    ['was refused to the other', () => Promise.resolve(refused)],
  ] as const) {
    it(`goes on if it was accepted from one, and ${what}`, async (t) => {
      const shop = await sentTwice(t, accepted, [paid]);
      await shop.job;
      await answer().then(shop.stalled.resolve, shop.stalled.reject);
      assert.deepEqual(await shop.customer, { kind: 'action', url });
      const { status, acquirerReference } = await shop.operation(shop.id);
      assert.deepEqual([status, acquirerReference], ['action_needed', 'tr_1']);
      assert.equal((await shop.intent()).status, 'requires_action');
      await shop.comeBack(shop.id);
      assert.equal((await shop.intent()).status, 'succeeded');
      assert.ok(!(await shop.events()).includes('payment_intent.payment_failed'));
      assert.deepEqual([shop.problems, shop.unsettled], [[], []]);
    });
  }

  it('is returned if it was made after the customer was told that it has failed', async (t) => {
    const second = Promise.withResolvers<Answer>();
    const shop = await sentTwice(t, second.promise);
    shop.stalled.reject(notSent());
    await shop.customer;
    assert.equal((await shop.operation(shop.id)).status, 'failed');
    assert.equal((await shop.intent()).status, 'requires_payment_method');
    second.resolve(paid);
    await shop.job;
    await shop.reconcileAfter(1);
    assert.deepEqual(
      (await shop.refunds()).map(({ status, amount }) => [status, amount]),
      [['succeeded', 1250]],
    );
    const { status, acquirerReference } = await shop.operation(shop.id);
    assert.deepEqual([status, acquirerReference], ['succeeded', 'tr_1']);
    assert.deepEqual([shop.problems, shop.unsettled], [[], []]);
  });
});
