// paydesk trigger: each event type results from what really causes it.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { subscribableEventTypes } from '../../src/domain/event.ts';
import { type Fields, must } from '../support/api-client.ts';
import { customerAt, textOfPage } from '../support/customer.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite, startPaydesk, systemClock, type TestMerchant } from '../support/paydesk.ts';
import { callPaydesk } from '../support/paydesk-process.ts';

const settingsOf = ({ test }: TestMerchant) => ({ PAYDESK_API_KEY: test.key, PAYDESK_URL: test.url });

describeOnEachEngine('paydesk trigger', (engine) => {
  const paydesk = paydeskForSuite(engine, { runningClock: systemClock });

  for (const type of subscribableEventTypes) {
    it(`triggers ${type}`, async () => {
      const merchant = await paydesk().newMerchant();
      const args = ['trigger', type, '--set', 'metadata.order=7', '--set', 'amount=5000', '--set', 'currency=usd'];
      const { code, stdout, stderr } = await callPaydesk([...args, '--json'], { settings: settingsOf(merchant) });
      assert.equal(code, 0, stderr);
      const event = JSON.parse(stdout) as Fields & { data: Fields };
      assert.deepEqual(event, must(200, await merchant.test.get(`/events/${event.id}`)), 'it is a real event');
      assert.equal(event.type, type);
      assert.deepEqual([event.data.amount, event.data.currency], [5000, 'USD']);
      if (!/^(?:refund|dispute)\./.test(type)) assert.deepEqual(event.data.metadata, { order: '7' });
      assert.match(stderr, /^1\. created session cs_\w+ for 50\.00 USD\n/);
      const { data } = must(200, await merchant.test.get('/checkout-sessions')) as { data: Fields[] };
      assert.equal(data.length, 1, 'exactly one session was created');
    });
  }

  it('can make payments fail any number of times: they do not count towards the decline limits', async (t) => {
    const settings = { PAYDESK_DECLINES_PER_CARD: '1', PAYDESK_DECLINES_PER_ADDRESS: '2' };
    const strict = await startPaydesk(t, engine, { settings, runningClock: systemClock });
    const merchant = await strict.newMerchant();
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const result = await callPaydesk(['trigger', 'payment_intent.payment_failed', '--json'], {
        settings: settingsOf(merchant),
      });
      assert.equal(result.code, 0, result.stderr);
      const { data } = JSON.parse(result.stdout) as { data: { last_payment_error: Fields } };
      assert.equal(data.last_payment_error.code, 'card_declined');
    }
    const customer = customerAt(strict.url);
    await customer.payByCard((await merchant.newSession()).id, '4000000000000002');
    const counted = await customer.payByCard((await merchant.newSession()).id, '4000000000000002');
    assert.ok(textOfPage(counted).includes('No more attempts by card are possible'), 'other test cards count');
  });

  it('prints the steps and the event', async () => {
    const merchant = await paydesk().newMerchant();
    const settings = settingsOf(merchant);
    const paid = await callPaydesk(['trigger', 'checkout_session.completed'], { settings });
    assert.match(paid.stderr, /2\. paid with card 4242 4242 4242 4242: payment status succeeded/);
    assert.match(paid.stdout, /^checkout_session\.completed {2}evt_\w+ {2}for cs_\w+\n$/);
    const held = await callPaydesk(['trigger', 'payment_intent.succeeded', '--set', 'capture_method=manual'], {
      settings,
    });
    assert.match(held.stderr, /payment status requires_capture\n3\. captured pi_/);
    const failed = await callPaydesk(['trigger', 'refund.failed'], { settings });
    assert.match(
      failed.stderr,
      /4000 0000 0000 5126.*succeeded\n3\. refunded 12\.50 EUR: refund re_\w+, status failed/,
    );
    const types = (await merchant.events()).map(({ type }) => type);
    assert.ok(types.includes('refund.created') && types.includes('refund.failed'));
  });

  it('rejects invalid arguments, and creates nothing', async () => {
    const merchant = await paydesk().newMerchant();
    const settings = settingsOf(merchant);
    const everyType = new RegExp(subscribableEventTypes.map((type) => `${type}[\\s\\S]*`).join(''));
    const mistakes: [string[], RegExp][] = [
      [[], /specify an event type/],
      [[], everyType],
      [['payment.paid'], /unknown event type "payment.paid"\. Event types:/],
      [['refund.craeted'], /unknown event type "refund.craeted"\. Did you mean refund\.created\? Event types:/],
      [['payment.paid'], everyType],
      [['refund.created', 'amount=1'], /unexpected argument "amount=1"\. Pass one EVENT_TYPE at a time/],
      [['refund.created', '--set', 'amount'], /"amount" is not KEY=VALUE/],
      [['refund.created', '--set', 'amount=12.50'], /12\.50 EUR is 1250/],
      [['refund.created', '--set', 'ammount=1'], /`ammount` is not a parameter here.*\(parameter_unknown, req_\w+\)/],
      [
        ['refund.created', '--key', merchant.live.key],
        /this is a live key, and paydesk trigger only works in test mode/,
      ],
    ];
    for (const [args, message] of mistakes) {
      const result = await callPaydesk(['trigger', ...args], { settings });
      assert.equal(result.code, 1, args.join(' '));
      assert.match(result.stderr, message);
      assert.equal(result.stdout, '');
    }
    assert.deepEqual(must(200, await merchant.test.get('/checkout-sessions')).data, []);
  });
});
