// Behind proxies: which client a request counts for, what is logged, and the warnings about wrong settings.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { customerAt, textOfPage } from '../support/customer.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { startPaydesk } from '../support/paydesk.ts';

const declined = '4000000000000002';

describeOnEachEngine('A customer behind a proxy', (engine) => {
  const forgeries: Readonly<Record<string, (turn: number) => Record<string, string>>> = {
    'a port': (turn) => ({ 'X-Forwarded-For': `6.6.6.${turn}, 198.51.100.1:${5000 + turn}` }),
    'an unknown hop': (turn) => ({ 'X-Forwarded-For': `6.6.6.${turn}, unknown` }),
    'an empty hop': (turn) => ({ 'X-Forwarded-For': `6.6.6.${turn},` }),
    'an IPv6 address with a port': (turn) => ({ 'X-Forwarded-For': `6.6.6.${turn}, [2001:db8::${turn}]:80` }),
    'a header other than the proxy’s': (turn) => ({
      'X-Forwarded-For': '198.51.100.1',
      Forwarded: `for=6.6.6.${turn}`,
    }),
    'several notations of one address': (turn) => ({
      'X-Forwarded-For':
        ['198.51.100.1', '::ffff:198.51.100.1', '::ffff:c633:6401', '[::FFFF:198.51.100.1]:9'][turn % 4] ?? '',
    }),
  };
  for (const [what, headersAt] of Object.entries(forgeries)) {
    it(`cannot get around the decline limit with ${what}`, async (t) => {
      const settings = { PAYDESK_DECLINES_PER_ADDRESS: '3', PAYDESK_TRUSTED_PROXIES: '127.0.0.0/8' };
      const paydesk = await startPaydesk(t, engine, { settings });
      const merchant = await paydesk.newMerchant();
      const pay = async (turn: number) => {
        paydesk.clock.advance(60_000);
        const { id } = await merchant.newSession({ expires_in: 86_400 });
        return textOfPage(await customerAt(paydesk.url, headersAt(turn)).payByCard(id, declined));
      };
      for (const turn of [1, 2, 3]) assert.match(await pay(turn), /Your card was declined/);
      for (const turn of [4, 5]) assert.match(await pay(turn), /No more attempts by card are possible/);
    });
  }
});

const requestsIn = (paydesk: { logLines(): readonly Readonly<Record<string, unknown>>[] }) =>
  paydesk.logLines().filter(({ msg, route }) => msg === 'request' && route === '/healthz');

describeOnEachEngine('The log of requests', (engine) => {
  const shown = {
    full: ['198.51.100.1', '2001:db8:1:2::7'],
    masked: ['198.51.100.0/24', '2001:db8:1::/48'],
    off: [undefined, undefined],
  } as const;
  for (const [how, addresses] of Object.entries(shown)) {
    it(`shows client addresses according to PAYDESK_LOG_ADDRESSES=${how}`, async (t) => {
      const settings = { PAYDESK_TRUSTED_PROXIES: '127.0.0.1', PAYDESK_LOG_ADDRESSES: how };
      const paydesk = await startPaydesk(t, engine, { settings });
      for (const address of ['198.51.100.1:80', '2001:db8:1:2::7'])
        await fetch(`${paydesk.url}/healthz`, { headers: { 'X-Forwarded-For': address } });
      assert.deepEqual(
        requestsIn(paydesk).map(({ address }) => address),
        addresses,
      );
    });
  }

  it('shows the same hash for the same address if addresses are hashed, and never the address', async (t) => {
    const settings = { PAYDESK_TRUSTED_PROXIES: '127.0.0.1', PAYDESK_LOG_ADDRESSES: 'hashed' };
    const paydesk = await startPaydesk(t, engine, { settings });
    for (const address of ['198.51.100.1', '::ffff:198.51.100.1', '198.51.100.2'])
      await fetch(`${paydesk.url}/healthz`, { headers: { 'X-Forwarded-For': address } });
    const [first, second, third] = requestsIn(paydesk).map(({ address }) => String(address));
    assert.match(first ?? '', /^[0-9a-z]{16}$/);
    assert.equal(first, second);
    assert.notEqual(first, third);
    assert.ok(!JSON.stringify(paydesk.logLines()).includes('198.51.100'));
  });
});

describeOnEachEngine('A warning', (engine) => {
  const warnings = (paydesk: { logLines(): readonly Readonly<Record<string, unknown>>[] }) =>
    paydesk.logLines().filter(({ level, problem }) => level === 'warn' && problem !== undefined);

  it('says once, and again after five minutes, that an untrusted peer forwards addresses', async (t) => {
    const paydesk = await startPaydesk(t, engine);
    const get = (headers: Record<string, string>) => fetch(`${paydesk.url}/healthz`, { headers });
    await get({});
    assert.deepEqual(warnings(paydesk), []);
    for (let time = 0; time < 3; time += 1) await get({ 'X-Forwarded-For': '198.51.100.1' });
    await get({ Forwarded: 'for=198.51.100.1' });
    const [warning, ...more] = warnings(paydesk);
    assert.deepEqual(more, []);
    assert.equal(warning?.peer, '127.0.0.1');
    assert.match(String(warning?.msg), /not trusted.*PAYDESK_TRUSTED_PROXIES/);
    paydesk.clock.advance(300_000);
    await get({ 'X-Forwarded-For': '198.51.100.1' });
    assert.equal(warnings(paydesk).length, 2);
  });

  it('reports two headers that name different clients, and http if the public URL is https', async (t) => {
    const settings = { PAYDESK_TRUSTED_PROXIES: '127.0.0.1' };
    const paydesk = await startPaydesk(t, engine, { settings });
    const get = (headers: Record<string, string>) => fetch(`${paydesk.url}/healthz`, { headers });
    await get({ 'X-Forwarded-For': '198.51.100.1', 'X-Forwarded-Proto': 'https' });
    assert.deepEqual(warnings(paydesk), []);
    await get({ 'X-Forwarded-For': '198.51.100.1', Forwarded: 'for=198.51.100.2' });
    await get({ 'X-Forwarded-For': '198.51.100.1', 'X-Forwarded-Proto': 'http' });
    await get({ Forwarded: 'for=198.51.100.1;proto=http' });
    assert.deepEqual(
      warnings(paydesk).map(({ problem }) => problem),
      ['contradiction', 'plain_http'],
    );
  });
});
