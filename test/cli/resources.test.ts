// Commands that act for a merchant on sessions, payments and events, and their errors.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { type Fields, must } from '../support/api-client.ts';
import { customerAt } from '../support/customer.ts';
import { sqlite } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { paydeskForSuite, systemClock, type TestMerchant } from '../support/paydesk.ts';
import { callPaydesk, freshFolder, paydeskJson, runPaydesk, servePaydesk } from '../support/paydesk-process.ts';

const settingsOf = ({ test }: TestMerchant) => ({ PAYDESK_API_KEY: test.key, PAYDESK_URL: test.url });

describe('Commands on sessions, payments and events', () => {
  const paydesk = paydeskForSuite(sqlite, { runningClock: systemClock });
  async function shop() {
    const merchant = await paydesk().newMerchant();
    const settings = settingsOf(merchant);
    return {
      merchant,
      settings,
      json: (...args: string[]) => paydeskJson<Fields>(args, { settings }, callPaydesk),
      printed: async (...args: string[]) => {
        const { code, stdout, stderr } = await callPaydesk(args, { settings });
        assert.equal(code, 0, stderr);
        return stdout;
      },
      pay: (session: Fields) => customerAt(paydesk().url).payByCard(session.id, '4242424242424242'),
    };
  }

  it('create a session with every option', async () => {
    const { json, printed } = await shop();
    const created = await json(
      ...['sessions', 'create', '--currency', 'EUR', '--line-item', 'Coffee: dark:2:625', '--line-item', 'Cup:1:400'],
      ...['--metadata', 'order=7', '--metadata', 'note=a=b', '--description', 'Beans', '--email', 'ada@example.com'],
      ...['--return-url', 'http://shop.example/thanks', '--cancel-url', 'http://shop.example/cart', '--locale', 'de'],
      ...['--methods', 'card, ideal', '--expires-in', '600', '--manual'],
    );
    const { amount, metadata, description, customer_email, return_url, cancel_url, locale, capture_method } = created;
    assert.deepEqual([amount, metadata, description], [1650, { order: '7', note: 'a=b' }, 'Beans']);
    assert.deepEqual([customer_email, locale, capture_method], ['ada@example.com', 'de', 'manual']);
    assert.deepEqual([return_url, cancel_url], ['http://shop.example/thanks', 'http://shop.example/cart']);
    assert.deepEqual(created.payment_method_types, ['card', 'ideal']);
    assert.deepEqual((created.line_items as Fields[])[0], {
      name: 'Coffee: dark',
      quantity: 2,
      unit_amount: 625,
      description: null,
    });
    const output = await printed('sessions', 'create', '--amount', '1000', '--currency', 'JPY');
    assert.match(output, /Session cs_\w+ for 1000 JPY[\s\S]*pay at +https:\/\/pay\.test\.example\/checkout\/cs_/);
  });

  it('create payment links with every option', async () => {
    const { json, printed } = await shop();
    const created = await json(
      ...['links', 'create', '--currency', 'EUR', '--line-item', 'Tea:2:625', '--metadata', 'order=7'],
      ...['--description', 'Yoga', '--redirect-url', 'http://shop.example/thanks', '--methods', 'card, ideal'],
      ...['--max-uses', '3', '--expires-at', '2099-01-31T18:00:00Z', '--manual'],
    );
    const { amount, metadata, description, redirect_url, payment_method_types } = created;
    assert.deepEqual([amount, metadata, description], [1250, { order: '7' }, 'Yoga']);
    assert.deepEqual([redirect_url, payment_method_types], ['http://shop.example/thanks', ['card', 'ideal']]);
    assert.deepEqual(
      [created.max_uses, created.expires_at, created.capture_method],
      [3, '2099-01-31T18:00:00.000Z', 'manual'],
    );
    const open = await json('links', 'create', '--open', '--currency', 'EUR', '--minimum', '500', '--maximum', '900');
    assert.deepEqual([open.type, open.minimum_amount, open.maximum_amount], ['open', 500, 900]);
    const output = await printed('links', 'create', '--amount', '1000', '--currency', 'JPY');
    assert.match(output, /Payment link plink_\w+ for 1000 JPY[\s\S]*pay at +https:\/\/pay\.test\.example\/pay\/plink_/);
    assert.match(output, /QR code +https:\/\/pay\.test\.example\/pay\/plink_\w+\/qr\.svg/);
    assert.match(await printed('links', 'create', '--open', '--currency', 'EUR'), /for any amount in EUR/);
    const missing = await callPaydesk(['links', 'create', '--currency', 'EUR'], { settings: {} });
    assert.match(missing.stderr, /specify the amount/);
  });

  it('retrieve, list and deactivate payment links', async () => {
    const { json, printed, settings } = await shop();
    assert.match(await printed('links', 'list'), /No results/);
    const one = await json('links', 'create', '--amount', '1250', '--currency', 'EUR', '--max-uses', '2');
    const open = await json('links', 'create', '--open', '--currency', 'KWD', '--description', 'Donation');
    assert.deepEqual(await json('links', 'get', String(one.id)), one);
    assert.match(await printed('links', 'get', String(one.id)), /max_uses +2/);
    const listed = stripVTControlCharacters(await printed('links', 'list'));
    assert.match(listed, new RegExp(`${one.id} +active +12\\.50 EUR +0 of 2`));
    assert.match(listed, new RegExp(`${open.id} +active +open KWD +0 +Donation`));
    const deactivated = await printed('links', 'deactivate', String(one.id));
    assert.equal(stripVTControlCharacters(deactivated), `Payment link ${one.id}: inactive\n`);
    const inactive = await json('links', 'list', '--status', 'inactive');
    assert.deepEqual(
      (inactive.data as Fields[]).map(({ id }) => id),
      [one.id],
    );
    for (const group of ['payments', 'sessions']) {
      assert.match(await printed(group, 'list', '--link', String(open.id)), /No results/);
      const bad = await callPaydesk([group, 'list', '--link', 'cs_1'], { settings });
      assert.match(bad.stderr, /`payment_link` must be an id that starts with `plink_`/);
    }
    const wrong = await callPaydesk(['links', 'deactivate', 'cs_1'], { settings: {} });
    assert.match(wrong.stderr, /not an id that starts with plink_/);
  });

  it('retrieve, list and expire sessions', async () => {
    const { json, printed, merchant } = await shop();
    assert.match(await printed('sessions', 'list'), /No results/);
    const [first, second] = [await merchant.newSession(), await merchant.newSession({ currency: 'KWD' })];
    assert.deepEqual(await json('sessions', 'get', String(first.id)), first);
    assert.match(await printed('sessions', 'get', String(second.id)), /status +open\namount|status +open/);
    assert.ok(!(await printed('sessions', 'get', String(second.id))).includes('_secret_'));
    const page = await json('sessions', 'list', '--limit', '1');
    assert.deepEqual(page.data, [second]);
    const output = await printed('sessions', 'list', '--limit', '1');
    assert.match(
      output,
      new RegExp(`^SESSION +STATUS.*\n${second.id} +open +1\\.250 KWD [\\s\\S]*next page: --cursor ${second.id}`),
    );
    const next = await json('sessions', 'list', '--cursor', String(page.next_cursor));
    assert.deepEqual(next.data, [first]);
    assert.match(await printed('sessions', 'expire', String(first.id)), /: expired/);
    assert.deepEqual((await json('sessions', 'list', '--status', 'open')).data, [second]);
  });

  it('retrieve, capture, cancel, refund and list payments', async () => {
    const { json, printed, merchant, pay } = await shop();
    const [held, released] = [
      await merchant.newSession({ capture_method: 'manual' }),
      await merchant.newSession({ capture_method: 'manual' }),
    ];
    await pay(held);
    await pay(released);
    const id = String(held.payment_intent);
    assert.match(
      await printed('payments', 'capture', id, '--amount', '1000'),
      /Captured 10\.00 EUR of payment pi_\w+\. Status: succeeded/,
    );
    const refund = await json('payments', 'refund', id, '--amount', '250', '--reason', 'torn');
    assert.deepEqual(
      [refund.object, refund.amount, refund.reason, refund.status],
      ['refund', 250, 'torn', 'succeeded'],
    );
    assert.match(await printed('payments', 'refund', id), /Refund re_\w+ of 7\.50 EUR\. Status: succeeded/);
    const intent = await json('payments', 'get', id);
    assert.deepEqual(intent, must(200, await merchant.test.get(`/payment-intents/${id}`)));
    assert.match(await printed('payments', 'get', id), /amount_refunded +1000\n/);
    const canceled = await json('payments', 'cancel', String(released.payment_intent), '--reason', 'changed my mind');
    assert.deepEqual([canceled.status, canceled.cancellation_reason], ['canceled', 'changed my mind']);
    assert.deepEqual((await json('payments', 'list', '--status', 'succeeded')).data, [intent]);
    assert.match(
      await printed('payments', 'list'),
      /AMOUNT +REFUNDED +CREATED\n[\s\S]*canceled[\s\S]*succeeded +12\.50 EUR +10\.00 EUR/,
    );
  });

  it('list, retrieve and resend events', async () => {
    const { json, printed, merchant } = await shop();
    const session = await merchant.newSession();
    await merchant.test.post(`/checkout-sessions/${session.id}/expire`);
    const [event] = await merchant.events();
    const id = String(event?.id);
    assert.deepEqual((await json('events', 'list', '--type', 'checkout_session.expired')).data, [
      await json('events', 'get', id),
    ]);
    assert.match(
      await printed('events', 'list'),
      new RegExp(`^EVENT +TYPE.*\n${id} +checkout_session\\.expired .* ${session.id}`),
    );
    const endpoint = must(201, await merchant.test.post('/webhook-endpoints', { url: 'https://shop.example/hooks' }));
    const resent = await json('events', 'resend', id);
    assert.equal((resent.data as Fields[])[0]?.endpoint, endpoint.id);
    assert.match(
      await printed('events', 'resend', id, '--endpoint', String(endpoint.id)),
      new RegExp(`del_\\w+ +${endpoint.id}`),
    );
  });

  it('report errors and what to do', async () => {
    const { settings, merchant } = await shop();
    const mistakes: [string[], RegExp][] = [
      [['sessions', 'create'], /--amount 1250 --currency EUR is 12\.50 EUR/],
      [
        ['sessions', 'create', '--amount', '12.50', '--currency', 'EUR'],
        /a whole number .*not "12.50".*12\.50 EUR is 1250/,
      ],
      [['sessions', 'create', '--amount', '1', '--currency', 'EUX'], /`EUX` .*\(currency_not_supported, req_\w+\)/],
      [['sessions', 'create', '--currency', 'EUR', '--line-item', 'Coffee'], /NAME:QUANTITY:UNIT_AMOUNT/],
      [['sessions', 'create', '--amount', '1', '--currency', 'EUR', '--metadata', 'x'], /"x" is not KEY=VALUE/],
      [['sessions', 'get'], /specify an id: paydesk sessions get cs_… \(see paydesk sessions list/],
      [['payments', 'get', 'cs_1'], /"cs_1" is not an id that starts with pi_.*paydesk payments get pi_…/],
      [['payments', 'cancel', 'pi_1/refund#'], /"pi_1\/refund#" is not an id that starts with pi_/],
      [['webhooks', 'delete', 'we_1/../we_2'], /"we_1\/\.\.\/we_2" is not an id that starts with we_/],
      [['events', 'get', 'evt_1?x=1'], /"evt_1\?x=1" is not an id that starts with evt_/],
      [['sessions', 'get', 'cs_'], /"cs_" is not an id that starts with cs_/],
      [['payments', 'get', 'pi_1', 'pi_2'], /Pass one PAYMENT at a time/],
      [['payments', 'get', 'pi_1'], /No payment intent .*exists.*\(payment_intent_not_found, req_\w+\)/],
      [['payments', 'list', '--limit', 'all'], /--limit must be a whole number from 1 to 100/],
      [['payments', 'list', '--status', 'paid'], /\(parameter_invalid, req_/],
      [['payments'], /specify a command: paydesk payments get, paydesk payments list/],
      [['events', 'resend', 'evt_1'], /\(event_not_found, req_/],
      [['sessions', 'list', '--key', 'sk_test_1'], /mistyped or incomplete[\s\S]*\.\/bin\/paydesk key create/],
      [['sessions', 'list', '--key', `${merchant.test.key.slice(0, -1)}é`], /mistyped or incomplete/],
      [['sessions', 'list', '--url', 'localhost:4020'], /"localhost:4020" is not the URL/],
    ];
    for (const [args, message] of mistakes) {
      const result = await callPaydesk(args, { settings });
      assert.equal(result.code, 1, args.join(' '));
      assert.match(result.stderr, message);
      assert.match(result.stderr, /^paydesk: /);
      assert.equal(result.stdout, '');
    }
    const noKey = await callPaydesk(['sessions', 'list'], { settings: { PAYDESK_URL: settings.PAYDESK_URL } });
    assert.match(noKey.stderr, /no API key\. Set PAYDESK_API_KEY[\s\S]*\.\/bin\/paydesk key create/);
    const asJson = await callPaydesk(['payments', 'get', 'pi_1', '--json'], { settings });
    const { error, code, status, request_id } = JSON.parse(asJson.stderr) as Fields;
    assert.deepEqual([code, status], ['payment_intent_not_found', 404]);
    assert.ok(String(error).includes(String(request_id)));
  });

  it('report that no service is running, at which URL, and how to start it', async (t) => {
    const { merchant } = await shop();
    const port = String(await freePort());
    const start = /Start the service with: npm start\n.*--url or PAYDESK_URL/;
    for (const [args, settings, url] of [
      [['--url', `http://127.0.0.1:${port}/`], {}, `http://127.0.0.1:${port}`],
      [[], { PAYDESK_URL: `http://127.0.0.1:${port}` }, `http://127.0.0.1:${port}`],
      [[], { PORT: port }, `http://localhost:${port}`],
    ] as const) {
      for (const command of [
        ['sessions', 'list'],
        ['trigger', 'refund.created'],
      ]) {
        const result = await callPaydesk([...command, ...args], {
          settings: { ...settings, PAYDESK_API_KEY: merchant.test.key },
        });
        assert.equal(result.code, 1);
        assert.ok(result.stderr.startsWith(`paydesk: no service is running at ${url}. `), result.stderr);
        assert.match(result.stderr, start);
      }
    }
    const other = createServer((_request, response) => response.end('<h1>hello</h1>'));
    await new Promise<void>((resolve) => other.listen(Number(port), '127.0.0.1', resolve));
    t.after(() => other.close());
    const wrong = await callPaydesk(['sessions', 'list', '--url', `http://127.0.0.1:${port}`], {
      settings: { PAYDESK_API_KEY: merchant.test.key },
    });
    assert.match(wrong.stderr, /is not Paydesk \(status 200\)\. Check --url and PAYDESK_URL/);
  });

  it('colour their output only on a terminal', async (t) => {
    const folder = await freshFolder(t);
    const server = await servePaydesk(t, { folder, settings: {} });
    const [key = ''] = /sk_test_[0-9a-z]+/.exec(server.stdout()) ?? [];
    const settings = { PAYDESK_API_KEY: key, PAYDESK_URL: server.url };
    const args = ['sessions', 'create', '--amount', '1', '--currency', 'EUR'];
    const plain = await runPaydesk(args, { settings });
    assert.equal(stripVTControlCharacters(plain.stdout), plain.stdout);
    // FORCE_COLOR replaces the terminal.
    const coloured = await runPaydesk(args, { settings: { ...settings, FORCE_COLOR: '1' } });
    assert.notEqual(stripVTControlCharacters(coloured.stdout), coloured.stdout);
  });
});
