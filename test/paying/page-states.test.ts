// The pages around paying: what an ended session shows, where the customer goes, and the headers of every page.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { it } from 'node:test';
import { assertRefused, must } from '../support/api-client.ts';
import { formOf, pathOf, textOfPage } from '../support/customer.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';
import { aMoment } from '../support/records.ts';
import { intentPath, manyDeclines, openShop, paid, paidSession, paymentState, untilStatus } from './scene.ts';

const good = '4242424242424242';

describeOnEachEngine('The page of a session', (engine) => {
  const paydesk = paydeskForSuite(engine, { settings: manyDeclines });

  it('redirects to return_url once it is paid, with the id filled in', async () => {
    const shop = await openShop(paydesk());
    const returnUrl = 'https://shop.example/thanks?s={CHECKOUT_SESSION_ID}&again={CHECKOUT_SESSION_ID}';
    const session = await paidSession(shop, { return_url: returnUrl });
    const page = await shop.customer.open(session.id);
    assert.equal(page.status, 303);
    assert.equal(page.location, `https://shop.example/thanks?s=${session.id}&again=${session.id}`);
  });

  it('is a receipt if there is no return_url', async () => {
    const shop = await openShop(paydesk());
    const session = await paidSession(shop);
    const page = await shop.customer.open(session.id);
    assert.equal(page.status, 200);
    for (const text of ['Payment successful', '€12.50', '4242', String(session.payment_intent)]) {
      assert.ok(textOfPage(page).includes(text), textOfPage(page));
    }
  });

  it('links to cancel_url, with the id filled in, and the session stays open', async () => {
    const shop = await openShop(paydesk());
    const cancel = 'https://shop.example/cart/{CHECKOUT_SESSION_ID}';
    const session = await shop.merchant.newSession({ cancel_url: cancel });
    const page = await shop.customer.open(session.id);
    assert.ok(page.html.includes(`<a href="https://shop.example/cart/${session.id}">Cancel</a>`), page.html);
    assert.equal((await paymentState(shop, session)).session.status, 'open');
  });

  it('says that it expired, with a link back, and accepts no payment', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession({ expires_in: 300, cancel_url: 'https://shop.example/cart' });
    const bare = await shop.merchant.newSession({ expires_in: 300 });
    const form = formOf(await shop.customer.open(session.id));
    shop.paydesk.clock.advance(300_000);
    // At once, whether or not the job has run.
    assert.equal((await shop.customer.payForm(form, good)).location, `/checkout/${session.id}`);
    const page = await shop.customer.open(session.id);
    assert.equal(page.status, 410);
    assert.ok(textOfPage(page).includes('This payment page has expired'));
    assert.ok(page.html.includes('href="https://shop.example/cart"'));
    assert.ok(!(await shop.customer.open(bare.id)).html.includes('<a '));
    const after = await untilStatus(shop, session, 'expired');
    assert.deepEqual(after.events, ['checkout_session.expired']);
    assert.equal((await shop.customer.open(session.id)).status, 410);
  });

  it('says that it was cancelled, and accepts no payment', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession();
    const form = formOf(await shop.customer.open(session.id));
    must(200, await shop.merchant.test.post(intentPath(session, '/cancel')));
    assert.equal((await shop.customer.payForm(form, good)).location, `/checkout/${session.id}`);
    const page = await shop.customer.open(session.id);
    assert.equal(page.status, 410);
    assert.ok(textOfPage(page).includes('Payment cancelled'), textOfPage(page));
    const { intent } = await paymentState(shop, session);
    assert.deepEqual([intent.status, intent.amount_captured], ['canceled', 0]);
  });

  it('that is paid accepts no second payment', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession();
    const [first, second] = [
      formOf(await shop.customer.open(session.id)),
      formOf(await shop.customer.open(session.id)),
    ];
    await shop.customer.payForm(first, good);
    assert.equal((await shop.customer.payForm(second, good)).location, `/checkout/${session.id}`);
    assert.deepEqual((await paymentState(shop, session)).events, paid);
  });

  it('that does not exist says that it was not found', async () => {
    const { customer } = await openShop(paydesk());
    for (const id of [aMoment().newId('cs'), 'nonsense', 'cs_', '%00', '..%2f', `cs_${'0'.repeat(500)}`]) {
      for (const path of [`/checkout/${id}`, `/checkout/${id}/return`, `/checkout/${id}/status`]) {
        const page = await customer.get(path);
        assert.equal(page.status, 404, path);
        assert.ok(textOfPage(page).includes('Page not found'), path);
      }
      assert.equal((await customer.post(`/checkout/${id}/pay`, { amount: '1' })).status, 404);
      assert.equal((await customer.get(`/sandbox-challenge/${id}`)).status, 404);
      assert.equal((await customer.post(`/sandbox-bank/${id}`, { result: 'pass' })).status, 404);
    }
  });

  it('has a test bank that accepts a choice from its own page only', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession();
    const path = pathOf(await shop.customer.payByCard(session.id, '4000000000003220'));
    for (const headers of [{ Origin: 'https://evil.example' }, { 'Content-Type': 'text/plain' }]) {
      await shop.customer.post(path, { result: 'pass' }, { headers });
    }
    await shop.customer.post(path, { result: 'nonsense' });
    await shop.customer.get(`/checkout/${session.id}/return`);
    assert.equal((await paymentState(shop, session)).intent.status, 'requires_action');
    assert.equal((await shop.customer.get(path.replace('challenge', 'bank'))).status, 404);
  });

  it('is protected by its headers, and runs only the scripts and styles that they name', async () => {
    const shop = await openShop(paydesk());
    const returnUrl = 'https://shop.example/thanks';
    const open = await shop.merchant.newSession({ return_url: returnUrl });
    const processing = await shop.merchant.newSession();
    await shop.customer.payByCard(processing.id, '4000000000000077');
    const challenge = await shop.customer.payByCard((await shop.merchant.newSession()).id, '4000000000003220');
    const pages = [
      await shop.customer.open(open.id),
      await shop.customer.payByCard(open.id, '4000000000000002'),
      await shop.customer.open(processing.id),
      await shop.customer.follow(challenge),
      await shop.customer.open((await paidSession(shop)).id),
      await shop.customer.get(`/checkout/${(await paidSession(shop, { return_url: returnUrl })).id}/next`),
      await shop.customer.open('nonsense'),
    ];
    for (const { headers, html } of pages) {
      const policy = headers.get('content-security-policy') ?? '';
      const rules = new Map(policy.split('; ').map((rule) => [rule.split(' ', 1)[0] ?? '', rule.split(' ').slice(1)]));
      assert.ok(!/unsafe|\*|https?:/.test(policy), policy);
      assert.deepEqual(rules.get('default-src'), ["'none'"]);
      assert.deepEqual(rules.get('frame-ancestors'), ["'none'"]);
      assert.deepEqual(rules.get('base-uri'), ["'none'"]);
      assert.deepEqual(rules.get('form-action'), ["'self'"]);
      for (const [tag, rule] of [
        ['script', 'script-src'],
        ['style', 'style-src'],
      ] as const) {
        const inline = [...html.matchAll(new RegExp(`<${tag}\\b[^>]*>([\\s\\S]*?)</${tag}>`, 'g'))];
        const hashes = inline.map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
        for (const hash of hashes) assert.ok(rules.get(rule)?.includes(hash), `${tag} ${hash} in ${policy}`);
      }
      assert.ok(!/ on\w+="| style="|<script[^>]+src=|javascript:/.test(html), 'nothing else inline');
      assert.equal(headers.get('x-frame-options'), 'DENY');
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.equal(headers.get('referrer-policy'), 'same-origin');
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.match(headers.get('content-type') ?? '', /^text\/html; charset=utf-8$/);
      assert.match(headers.get('strict-transport-security') ?? '', /max-age=\d{7,}/);
      assert.match(headers.get('request-id') ?? '', /^req_/);
      assert.equal(headers.get('set-cookie'), null);
    }
  });

  it('accepts reports of policy violations, and logs a limited number, without what they quote', async () => {
    const shop = await openShop(paydesk());
    const { clock } = shop.paydesk;
    clock.advance(60_000);
    const reportLines = () =>
      shop.paydesk.logLines().filter(({ msg }) => String(msg).includes('content security policy'));
    const before = reportLines().length;
    const report = {
      'csp-report': {
        'document-uri': 'https://pay.test.example/checkout/cs_1?card=4242424242424242',
        'blocked-uri': 'https://evil.example/x?card=4242424242424242',
        'effective-directive': 'script-src-elem',
        'script-sample': '4242424242424242',
      },
    };
    const headers = { 'Content-Type': 'application/csp-report' };
    for (const raw of [JSON.stringify(report), 'no json', 'null', '[]', '{"csp-report":null}', 'x'.repeat(20_000)]) {
      assert.equal((await shop.customer.post('/csp-reports', {}, { raw, headers })).status, 204, raw.slice(0, 50));
    }
    for (let sent = 0; sent < 40; sent += 1) {
      assert.equal(
        (await shop.customer.post('/csp-reports', {}, { raw: JSON.stringify(report), headers })).status,
        204,
      );
    }
    const lines = reportLines().slice(before);
    assert.equal(lines.length, 20);
    assert.deepEqual([lines[0]?.directive, lines[0]?.blocked], ['script-src-elem', 'https://evil.example']);
    assert.ok(!JSON.stringify(lines).includes('4242'));
  });

  it('accepts reports in both formats, whatever their content, and logs only directive and origin', async () => {
    const shop = await openShop(paydesk());
    shop.paydesk.clock.advance(60_000);
    const reportLines = () =>
      shop.paydesk.logLines().filter(({ msg }) => String(msg).includes('content security policy'));
    const before = reportLines().length;
    const send = async (raw: string, type: string): Promise<void> => {
      const { status } = await shop.customer.post('/csp-reports', {}, { raw, headers: { 'Content-Type': type } });
      assert.equal(status, 204, raw.slice(0, 80));
    };
    const odd: readonly unknown[] = [
      7,
      null,
      true,
      {},
      [],
      { toString: 1 },
      '4242 4242 4242 4242',
      'sk_test_123',
      'https://4242424242424242.example/a',
      'inline',
    ];
    for (const value of odd) {
      const body = { 'effective-directive': value, 'violated-directive': value, 'blocked-uri': value };
      await send(JSON.stringify({ 'csp-report': body }), 'application/csp-report');
      await send(JSON.stringify({ 'csp-report': value }), 'application/csp-report');
      shop.paydesk.clock.advance(60_000);
      const modern = { type: 'csp-violation', body: { effectiveDirective: value, blockedURL: value } };
      await send(
        JSON.stringify([modern, value, { type: value }, { type: 'csp-violation', body: value }]),
        'application/reports+json',
      );
      shop.paydesk.clock.advance(60_000);
    }
    const body = { effectiveDirective: 'script-src-elem', blockedURL: 'https://evil.example/x?card=4242424242424242' };
    await send(
      JSON.stringify([
        { type: 'deprecation', body: {} },
        { type: 'csp-violation', body },
      ]),
      'application/reports+json',
    );
    const lines = reportLines().slice(before);
    assert.deepEqual([lines.at(-1)?.directive, lines.at(-1)?.blocked], ['script-src-elem', 'https://evil.example']);
    assert.ok(!/4242|sk_test/.test(JSON.stringify(lines)));
  });

  it('does not exist in live mode, which has no acquirer yet', async () => {
    const { merchant } = await openShop(paydesk());
    const response = await merchant.live.post('/checkout-sessions', { amount: 1250, currency: 'EUR' });
    assertRefused(response, { status: 400, code: 'live_mode_not_configured' });
  });
});
