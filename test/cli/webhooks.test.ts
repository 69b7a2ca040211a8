// Webhook endpoints and refunds from the command line, and help texts.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Fields, must } from '../support/api-client.ts';
import { mustCommit } from '../support/committing.ts';
import { customerAt } from '../support/customer.ts';
import { sqlite } from '../support/engines.ts';
import { paydeskForSuite, systemClock } from '../support/paydesk.ts';
import { callPaydesk, paydeskJson } from '../support/paydesk-process.ts';
import { aDispute } from '../support/records.ts';
import { until } from '../support/until.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

describe('Commands on webhook endpoints and refunds', () => {
  const paydesk = paydeskForSuite(sqlite, {
    runningClock: systemClock,
    settings: { PAYDESK_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', PAYDESK_WEBHOOK_PORTS: 'all' },
  });

  async function shop() {
    const merchant = await paydesk().newMerchant();
    const settings = { PAYDESK_API_KEY: merchant.test.key, PAYDESK_URL: merchant.test.url };
    return {
      merchant,
      json: (...args: string[]) => paydeskJson<Fields>(args, { settings }, callPaydesk),
      run: (...args: string[]) => callPaydesk(args, { settings }),
    };
  }

  it('create, list, update, test, rotate and delete an endpoint', async (t) => {
    const { json, run } = await shop();
    const receiver = await startWebhookReceiver(t);
    const created = await json('webhooks', 'create', '--url', receiver.url, '--events', 'refund.created,refund.failed');
    assert.match(String(created.secret), /^whsec_/);
    assert.deepEqual(created.enabled_events, ['refund.created', 'refund.failed']);
    const id = String(created.id);
    const list = await run('webhooks', 'list');
    assert.match(list.stdout, /^ENDPOINT +STATE +URL +EVENTS\nwe_\w+ +enabled +http/);
    const tested = await json('webhooks', 'test', id);
    await until('the test event arrives', () => receiver.requests.length === 1);
    assert.equal((JSON.parse(String(receiver.requests[0]?.body)) as Fields).id, tested.id);
    const changed = await json('webhooks', 'update', id, '--disable', '--description', 'Orders');
    assert.deepEqual([changed.disabled, changed.description], [true, 'Orders']);
    assert.equal((await json('webhooks', 'update', id, '--enable')).disabled, false);
    const rotated = await json('webhooks', 'rotate-secret', id, '--activates-in', '0');
    assert.notEqual(rotated.secret, created.secret);
    assert.equal((await json('webhooks', 'resend-failed', id, '--since', '2026-01-01T00:00:00Z')).resent, 0);
    assert.equal((await json('webhooks', 'delete', id)).deleted, true);
    assert.match((await run('webhooks', 'get', id)).stderr, /webhook_endpoint_not_found/);
    assert.match((await run('webhooks', 'update', id)).stderr, /specify what to change: --url/);
  });

  it('retrieve and list refunds', async () => {
    const { merchant, json, run } = await shop();
    const session = await merchant.newSession();
    await customerAt(paydesk().url).payByCard(session.id, '4242424242424242');
    const payment = String(session.payment_intent);
    const refund = must(201, await merchant.test.post(`/payment-intents/${payment}/refund`, { amount: 250 }));
    assert.deepEqual(await json('refunds', 'get', String(refund.id)), refund);
    assert.match(
      (await run('refunds', 'list', '--payment', payment)).stdout,
      /^REFUND +STATUS +AMOUNT[\s\S]*2\.50 EUR/,
    );
  });

  it('retrieve and list disputes', async () => {
    const { merchant, json, run } = await shop();
    const dispute = aDispute({ ...merchant.scope });
    await mustCommit(paydesk().store, { disputes: [dispute] });
    const { id, paymentIntentId } = dispute;
    assert.deepEqual(await json('disputes', 'get', id), must(200, await merchant.test.get(`/disputes/${id}`)));
    const listed = await run('disputes', 'list', '--payment', paymentIntentId, '--status', 'needs_response');
    assert.match(listed.stdout, new RegExp(`^DISPUTE +STATUS[\\s\\S]*${id} +needs_response +12\\.50 EUR +2026-`));
    assert.match((await run('disputes', 'list', '--status', 'lost')).stdout, /No results/);
    assert.match((await run('disputes', 'get', 're_1')).stderr, /dp_/);
  });
});

describe('Help', () => {
  it('for a group of commands exits with 0 and lists them', async () => {
    for (const args of [
      ['payments', '--help'],
      ['webhooks', '-h'],
      ['key', 'help'],
    ]) {
      const { code, stdout, stderr } = await callPaydesk(args);
      assert.equal(code, 0, stderr);
      assert.match(stdout, new RegExp(`^Usage: paydesk ${args[0]} <command>`));
      assert.match(stdout, new RegExp(`paydesk ${args[0]} \\w+ --help for details`));
    }
  });

  it('suggests what was probably meant', async () => {
    const mistakes: [string[], RegExp][] = [
      [['strat'], /unknown command "strat"\. Did you mean paydesk start\?/],
      [['payment', 'list'], /Did you mean paydesk payments\?/],
      [
        ['payments', 'lits'],
        /unknown command "payments lits"\. Did you mean paydesk payments list\? Available: paydesk payments get/,
      ],
      [['payments', 'refund', 'pi_1', '--amout', '5'], /unknown option --amout\. Did you mean --amount\?/],
      [['payments', 'refund', 'pi_1', '--amount'], /--amount requires a value/],
      [['payments', 'refund', 'pi_1', '--amount', '--json'], /--amount requires a value/],
      [['key', 'create', '--live=yes'], /--live does not take a value/],
      [['doctor', '--colour'], /unknown option --colour\.(?! Did)/],
    ];
    for (const [args, message] of mistakes) {
      const result = await callPaydesk(args);
      assert.equal(result.code, 1, args.join(' '));
      assert.match(result.stderr, message);
    }
  });
});
