// The frame of the embedded checkout over HTTP: who may frame it, what it takes to read and pay, and what it reveals.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { updateMerchant } from '../../src/usecases/update-merchant.ts';
import type { Fields } from '../support/api-client.ts';
import { customerAt, formOf } from '../support/customer.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';
import { aMoment } from '../support/records.ts';

const description = 'Something private';
const byCard = { ui_mode: 'embedded', payment_method_types: ['card'], amount: 98_765, description };
const ownMachine = 'http://localhost:* http://127.0.0.1:* https://localhost:* https://127.0.0.1:*';

describeOnEachEngine('The frame of the embedded checkout', (engine) => {
  const paydesk = paydeskForSuite(engine);
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
    fetch(`${paydesk().url}${path}`, { headers, method, redirect: 'manual' });
  const secretOf = (session: Fields) => ({ Authorization: `Bearer ${session.client_secret}`, Accept: 'text/html' });
  const policyOf = ({ headers }: Response): string => headers.get('content-security-policy') ?? '';
  const ancestorsOf = (response: Response): string | undefined =>
    /frame-ancestors ([^;]+)/.exec(policyOf(response))?.[1];

  async function embedded(embedOrigins: readonly string[] = []) {
    const merchant = await paydesk().newMerchant();
    await updateMerchant({ store: paydesk().store, moment: aMoment, actor: 'test' }, merchant.merchant.id, {
      embedOrigins,
    });
    return { merchant, session: await merchant.newSession(byCard) };
  }

  it('may be framed by the registered origins and, in test mode, by the own machine; the hosted page by nobody', async () => {
    const { merchant, session } = await embedded(['https://shop.example', 'https://www.shop.example:8443']);
    const frame = await get(`/embed/${session.id}`);
    assert.equal(frame.status, 200);
    assert.equal(ancestorsOf(frame), `https://shop.example https://www.shop.example:8443 ${ownMachine}`);
    assert.equal(frame.headers.get('x-frame-options'), null);
    const hosted = await get(`/checkout/${(await merchant.newSession({})).id}`);
    assert.deepEqual([ancestorsOf(hosted), hosted.headers.get('x-frame-options')], ["'none'", 'DENY']);
    const absent = await get(`/embed/cs_${'0'.repeat(30)}`);
    assert.deepEqual([absent.status, ancestorsOf(absent)], [404, "'none'"]);
  });

  it('contains nothing about the payment, sets no cookie, and allows only its own scripts', async () => {
    const { session } = await embedded();
    const frame = await get(`/embed/${session.id}`);
    const html = await frame.text();
    const withoutId = html.replaceAll(String(session.id), '');
    for (const hidden of [session.client_secret, session.payment_intent, description, '987', 'EUR', '€'])
      assert.ok(!withoutId.includes(String(hidden)), String(hidden));
    assert.match(html, /<noscript><p>To pay here, please turn on JavaScript in your browser\.<\/p><\/noscript>/);
    assert.ok(!html.includes('/checkout/'));
    assert.equal(frame.headers.get('set-cookie'), null);
    assert.match(policyOf(frame), /default-src 'none'; script-src (?:'sha256-[^']+' ?)+;/);
    assert.match(policyOf(frame), /connect-src 'self'; frame-src 'self';/);
  });

  it('needs the client secret of the session for every request, and reveals nothing without it', async () => {
    const { merchant, session } = await embedded();
    const other = await merchant.newSession(byCard);
    const requests = [
      ['GET', 'page'],
      ['GET', 'next'],
      ['GET', 'status'],
      ['POST', 'pay'],
      ['POST', 'returned'],
    ] as const;
    const bodies = new Set<string>();
    for (const [method, step] of requests)
      for (const [id, headers] of [
        [session.id, {}],
        [session.id, secretOf(other)],
        [session.id, { Authorization: `Bearer ${merchant.test.key}` }],
        [`cs_${'0'.repeat(30)}`, secretOf(session)],
      ] as const) {
        const response = await get(`/embed/${id}/${step}?client_secret=${session.client_secret}`, headers, method);
        assert.equal(response.status, 401, `${method} ${step}`);
        bodies.add((await response.text()).replace(/req_\w+/, ''));
      }
    assert.equal(bodies.size, 1, 'they are answered alike');
    const page = await get(`/embed/${session.id}/page`, secretOf(session));
    assert.deepEqual([page.status, page.headers.get('paydesk-state')], [200, 'open']);
    assert.ok((await page.text()).includes(description));
    assert.deepEqual([page.headers.get('set-cookie'), ancestorsOf(page)], [null, "'none'"]);
  });

  it('is not shown for a hosted session, whose secret only reads it', async () => {
    const { merchant } = await embedded();
    const hosted = await merchant.newSession({});
    const response = await get(`/embed/${hosted.id}/page`, secretOf(hosted));
    assert.equal(response.status, 404);
    assert.match(await response.text(), /create it with `ui_mode: \\"embedded\\"`/);
  });

  it('has a script for shops: small, cacheable, loadable from everywhere', async () => {
    const response = await get('/paydesk.js');
    const text = await response.text();
    assert.ok(gzipSync(text).length < 5_000, `${gzipSync(text).length} bytes compressed`);
    assert.doesNotMatch(text, /\bimport\b|\brequire\(|\{\{/);
    assert.match(response.headers.get('content-type') ?? '', /^text\/javascript/);
    assert.equal(response.headers.get('access-control-allow-origin'), '*');
    assert.match(response.headers.get('cache-control') ?? '', /public, max-age=300/);
    const etag = response.headers.get('etag') ?? '';
    assert.match(etag, /^"[\w-]{27}"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await get('/paydesk.js', { 'If-None-Match': known });
      assert.deepEqual([again.status, await again.text(), again.headers.get('etag')], [304, '', etag]);
    }
    assert.equal((await get('/paydesk.js', { 'If-None-Match': '"other"' })).status, 200);
  });

  it('comes back from a bank to a page that reveals nothing and may be shown in its dialog', async () => {
    const { session } = await embedded(['https://shop.example']);
    const back = await get(`/embed/${session.id}/return`);
    assert.equal(ancestorsOf(back), `'self' https://shop.example ${ownMachine}`);
    const html = await back.text();
    assert.ok(!html.includes(description) && !html.includes(String(session.client_secret)));
    assert.ok(html.includes(`href="/embed/${session.id}/resume"`));
    const whole = await get(`/embed/${session.id}/return`, { 'Sec-Fetch-Dest': 'document' });
    const text = await whole.text();
    assert.deepEqual([whole.status, ancestorsOf(whole)], [200, "'none'"]);
    assert.match(text, /You can close this page\./);
    assert.ok(!text.includes(description) && !text.includes('987'));
  });

  it('is the only way to an embedded session: on the hosted page there is none, before and after it is paid', async () => {
    const { session } = await embedded();
    const customer = customerAt(paydesk().url);
    const absent = `cs_${'0'.repeat(30)}`;
    const hidden = async (): Promise<void> => {
      for (const step of ['', '/next', '/pay', '/return', '/status']) {
        const [page, none] = await Promise.all(
          [session.id, absent].map((id) => customer.get(`/checkout/${id}${step}`)),
        );
        assert.deepEqual([page?.status, page?.html], [404, none?.html], step);
      }
      const sent = await customer.post(`/checkout/${session.id}/pay`, { amount: '98765', method: 'card' });
      assert.equal(sent.status, 404);
    };
    await hidden();
    const framed = customerAt(paydesk().url, secretOf(session));
    await framed.payForm(formOf(await framed.get(`/embed/${session.id}/page`)), '4242424242424242');
    assert.equal((await get(`/embed/${session.id}/page`, secretOf(session))).headers.get('paydesk-state'), 'paid');
    await hidden();
  });
});
