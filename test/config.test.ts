// Settings: defaults, valid values, and how invalid ones are reported.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadProvider, providers } from '../src/acquirers/providers.ts';
import { ConfigError, readConfig } from '../src/config.ts';

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems;
  }
}

describe('Address settings', () => {
  it('accept networks in every notation', () => {
    const networks = '10.0.0.0/8, fd00::/8,192.168.1.4,::ffff:10.0.0.0/104,::1/128,0.0.0.0/0';
    assert.deepEqual(readConfig({ PAYDESK_TRUSTED_PROXIES: networks }).trustedProxies, networks.split(/, ?/));
  });

  const notNetworks = [
    '10.0.0.0/8/4',
    '10.0.0.0/',
    '/8',
    '10.0.0.0/33',
    '::/129',
    '10.0.0/8',
    '10.0.0.0/-1',
    '10.0.0.0/8 /4',
  ]
    .concat(['10.0.0.0//8', '10.0.0.0/8,', 'fe80::1%eth0', '10.0.0.0-10.0.0.9', '10.0.0.0/8;::1', '10.0.0.0/0x8'])
    .concat(['10.0.0.0/255.0.0.0', 'localhost']);
  for (const network of notNetworks) {
    it(`reject ${network} as a network`, () => {
      const [problem = ''] = problemsOf({ PAYDESK_TRUSTED_PROXIES: network });
      assert.match(problem, /^PAYDESK_TRUSTED_PROXIES must be /);
    });
  }

  it('reject a public URL with a user name or password, without printing it', () => {
    for (const userInfo of [':hunter22@', 'ann:hunter22@', 'hunter22@', 'ann:%68unter22@']) {
      const [problem = '', ...more] = problemsOf({ PAYDESK_PUBLIC_URL: `https://${userInfo}pay.shop.example` });
      assert.match(problem, /^PAYDESK_PUBLIC_URL must not contain a user name or password/);
      assert.ok(!problem.includes('unter22'));
      assert.deepEqual(more, []);
    }
  });

  it('reject a public http URL for the service, unless another setting allows it', () => {
    const problemsOfServing = (environment: Record<string, string>): readonly string[] => {
      try {
        readConfig(environment, { serving: true });
        return [];
      } catch (error) {
        assert.ok(error instanceof ConfigError);
        return error.problems;
      }
    };
    for (const url of ['http://pay.shop.example', 'http://192.168.1.4:4020', 'http://0.0.0.0:4020', 'http://[fd00::1]'])
      for (const PAYDESK_PUBLIC_URL of [url, url.toUpperCase().replace('EXAMPLE', 'example')]) {
        assert.match(problemsOfServing({ PAYDESK_PUBLIC_URL })[0] ?? '', /must be https.*PAYDESK_ALLOW_HTTP=true/);
        assert.deepEqual(problemsOfServing({ PAYDESK_PUBLIC_URL, PAYDESK_ALLOW_HTTP: 'true' }), []);
        assert.deepEqual(problemsOf({ PAYDESK_PUBLIC_URL }), [], 'other commands accept it');
      }
    for (const url of ['http://localhost:4020', 'http://127.0.0.1:4020', 'http://[::1]', 'http://pay.localhost', ''])
      assert.deepEqual(problemsOfServing({ PAYDESK_PUBLIC_URL: url }), [], url);
    assert.match(problemsOf({ PAYDESK_ALLOW_HTTP: 'yes' })[0] ?? '', /^PAYDESK_ALLOW_HTTP must be one of true, false/);
    assert.match(problemsOf({ PAYDESK_LOG_ADDRESSES: 'none' })[0] ?? '', /^PAYDESK_LOG_ADDRESSES must be one of full/);
  });
});

describe('The public URL', () => {
  it('is normalised to an origin', () => {
    for (const [given, kept] of [
      ['https://pay.shop.example', 'https://pay.shop.example'],
      ['https://pay.shop.example/', 'https://pay.shop.example'],
      ['HTTPS://Pay.Shop.Example:443/', 'https://pay.shop.example'],
      ['https://bücher.example:8443', 'https://xn--bcher-kva.example:8443'],
      ['http://[::1]:4020/', 'http://[::1]:4020'],
    ] as const) {
      assert.equal(readConfig({ PAYDESK_PUBLIC_URL: given }).publicUrl, kept);
    }
  });

  it('is rejected with a path, and the message says what to do instead', () => {
    for (const path of ['/pay', '/pay/', '//', '/%20']) {
      const [problem = '', ...more] = problemsOf({ PAYDESK_PUBLIC_URL: `https://shop.example${path}` });
      assert.match(problem, /^PAYDESK_PUBLIC_URL must not have a path.*Use a separate host name for the service/);
      assert.deepEqual(more, []);
    }
  });

  it('is rejected with a query, a fragment or an invalid host name', () => {
    for (const url of ['https://a/?b', 'https://a/#b', 'ftp://a/', 'pay.shop.example', 'https://a;b/', 'https://*/']) {
      assert.match(problemsOf({ PAYDESK_PUBLIC_URL: url })[0] ?? '', /^PAYDESK_PUBLIC_URL must be the URL/, url);
    }
  });
});

describe('Webhook settings', () => {
  it('default to three retries, the usual ports and only public addresses', () => {
    const expected = {
      allowedNetworks: [],
      ports: 'usual',
      retryDelaysSeconds: [60, 300, 1_800],
      resendsPerMinute: 60,
      maxWaiting: 10_000,
    };
    assert.deepEqual(readConfig({}).webhooks, expected);
    assert.deepEqual(readConfig({ PAYDESK_WEBHOOK_PORTS: ' ', PAYDESK_WEBHOOK_RETRY_DELAYS: '' }).webhooks, expected);
  });

  it('are comma-separated lists', () => {
    const { webhooks } = readConfig({
      PAYDESK_WEBHOOK_ALLOWED_NETWORKS: '10.0.0.0/8, fd00::/8,192.168.1.4',
      PAYDESK_WEBHOOK_PORTS: '443, 8443',
      PAYDESK_WEBHOOK_RETRY_DELAYS: '0, 1,604800',
      PAYDESK_WEBHOOK_RESENDS_PER_MINUTE: '5',
      PAYDESK_WEBHOOK_MAX_WAITING: '2000',
    });
    assert.deepEqual(webhooks, {
      allowedNetworks: ['10.0.0.0/8', 'fd00::/8', '192.168.1.4'],
      ports: [443, 8443],
      retryDelaysSeconds: [0, 1, 604_800],
      resendsPerMinute: 5,
      maxWaiting: 2_000,
    });
    assert.equal(readConfig({ PAYDESK_WEBHOOK_PORTS: 'all' }).webhooks.ports, 'all');
  });

  const bad = [
    ['PAYDESK_WEBHOOK_ALLOWED_NETWORKS', '10.0.0.0/33', /whole number from 0 to 32/],
    ['PAYDESK_WEBHOOK_ALLOWED_NETWORKS', 'intranet', /"intranet" is not a network/],
    ['PAYDESK_WEBHOOK_PORTS', 'http', /must be ports separated by commas, or "all"/],
    ['PAYDESK_WEBHOOK_PORTS', '443,', /whole number from 1 to 65535/],
    ['PAYDESK_WEBHOOK_PORTS', '0', /whole number from 1 to 65535/],
    ['PAYDESK_WEBHOOK_PORTS', '70000', /whole number from 1 to 65535/],
    ['PAYDESK_WEBHOOK_RETRY_DELAYS', '60,1.5', /whole number from 0 to 604800, not "1.5"/],
    ['PAYDESK_WEBHOOK_RESENDS_PER_MINUTE', '0', /whole number from 1 to 1000000/],
    ['PAYDESK_WEBHOOK_MAX_WAITING', 'many', /whole number from 1 to 10000000/],
    ['PAYDESK_WEBHOOK_RETRY_DELAYS', '-1', /whole number from 0 to 604800/],
    ['PAYDESK_WEBHOOK_RETRY_DELAYS', '604801', /whole number from 0 to 604800/],
    ['PAYDESK_WEBHOOK_RETRY_DELAYS', '60,,300', /whole number from 0 to 604800/],
    ['PAYDESK_WEBHOOK_RETRY_DELAYS', '1,1,1,1,1,1,1,1,1,1,1', /at most 10 delays, not 11/],
  ] as const;
  for (const [name, value, message] of bad) {
    it(`reject ${name}=${value}`, () => {
      const [problem = '', ...more] = problemsOf({ [name]: value });
      assert.ok(problem.startsWith(`${name} must`), problem);
      assert.match(problem, message);
      assert.deepEqual(more, []);
    });
  }
});

describe('Addresses of providers', () => {
  const names = ['PAYDESK_STRIPE_API_URL', 'PAYDESK_MOLLIE_API_URL', 'PAYDESK_STRIPE_JS_URL'];

  it('are those of the providers by default', async () => {
    const { acquirerApiUrls, stripeJsUrl } = readConfig({});
    assert.equal(stripeJsUrl, 'https://js.stripe.com/dahlia/stripe.js');
    for (const name of Object.keys(providers)) {
      const provider = await loadProvider(providers, name);
      assert.equal(acquirerApiUrls[name], provider?.apiUrl);
    }
  });

  it('are https, or on loopback, without a trailing slash', () => {
    const { acquirerApiUrls } = readConfig({
      PAYDESK_STRIPE_API_URL: 'http://127.0.0.1:12111/',
      PAYDESK_MOLLIE_API_URL: 'https://mollie.internal.example//',
    });
    assert.deepEqual(acquirerApiUrls, {
      stripe: 'http://127.0.0.1:12111',
      mollie: 'https://mollie.internal.example',
    });
    for (const url of ['http://localhost:1', 'http://[::1]:1/v3/', 'http://127.9.9.9', 'https://js.example/v3/'])
      assert.equal(readConfig({ PAYDESK_STRIPE_JS_URL: url }).stripeJsUrl, url);
  });

  const refused = [
    'http://api.stripe.com',
    'http://10.0.0.7',
    'http://localhost.example',
    'http://127.0.0.1.example',
    'http://127.0.0.1@api.example',
    'https://key@api.stripe.com',
    'https://api.stripe.com?a=b',
    'https://api.stripe.com#a',
    'ftp://127.0.0.1',
    'file:///etc/passwd',
    'api.stripe.com',
    'https://',
  ];
  for (const url of refused) {
    it(`are not ${url}, and all of them are reported at once`, () => {
      const problems = problemsOf(Object.fromEntries(names.map((name) => [name, url])));
      assert.deepEqual(
        problems.map((problem) => problem.split(' ')[0]),
        names,
      );
      for (const problem of problems) assert.match(problem, /must be an https address .* http .* loopback only$/);
    });
  }
});

describe('Mail settings', () => {
  it('are off by default, and need no more than SMTP_URL', () => {
    assert.equal(readConfig({ PAYDESK_MAIL_FROM: 'receipts@shop.example' }).mail, null);
    const { mail } = readConfig({ SMTP_URL: 'smtp://mail.example', PAYDESK_PUBLIC_URL: 'https://pay.shop.example' });
    assert.equal(mail?.from, 'receipts@pay.shop.example');
    assert.deepEqual([mail?.connections, mail?.ratePerMinute, mail?.timeoutMs], [4, 0, 60_000]);
  });

  it('take the sender from the login if that is an address, and always from PAYDESK_MAIL_FROM', () => {
    const SMTP_URL = 'smtp://shop%40mail.example:secret@mail.example';
    assert.equal(readConfig({ SMTP_URL }).mail?.from, 'shop@mail.example');
    assert.equal(readConfig({ SMTP_URL, PAYDESK_MAIL_FROM: 'a@b.example' }).mail?.from, 'a@b.example');
    const byAddress = { SMTP_URL: 'smtp://127.0.0.1', PAYDESK_PUBLIC_URL: 'http://127.0.0.1:4020' };
    assert.equal(readConfig(byAddress).mail?.from, 'receipts@localhost');
  });

  const bad = [
    ['SMTP_URL', 'smtp://user:hunter22@', /must be smtp:\/\/user:password@host:587/],
    ['SMTP_URL', 'https://mail.example', /must be smtp:/],
    ['PAYDESK_MAIL_FROM', 'Shop <shop@mail.example>', /must be an e-mail address without a display name/],
    ['PAYDESK_MAIL_CONNECTIONS', '0', /whole number from 1 to 100/],
    ['PAYDESK_MAIL_RATE_LIMIT', 'fast', /whole number from 0 to 100000/],
    ['PAYDESK_MAIL_TIMEOUT', '601', /whole number from 1 to 600/],
    ['PAYDESK_MAIL_RETRY_DELAYS', '60,', /whole number from 0 to 604800/],
    ['PAYDESK_MAIL_RETENTION', '-1', /whole number from 0 to 36500/],
    ['PAYDESK_REQUEST_LOG_DAYS', '366', /whole number from 0 to 365/],
  ] as const;
  for (const [name, value, message] of bad) {
    it(`reject ${name}=${value.replace('hunter22', '…')}`, () => {
      const [problem = '', ...more] = problemsOf({ [name]: value });
      assert.ok(problem.startsWith(`${name} must`), problem);
      assert.match(problem, message);
      assert.ok(!problem.includes('hunter22'));
      assert.deepEqual(more, []);
    });
  }
});
