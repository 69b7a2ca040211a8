// paydesk acquirer with Stripe and Mollie: bad input, checks, test payments, doctor, key rotation and backups. As operators
// run it, with simulators instead of the providers.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Finding } from '../../src/cli/doctor.ts';
import { openStore } from '../../src/storage/open-store.ts';
import { startMollieSimulator } from '../acquirers/mollie-simulator/simulator.ts';
import { startStripeSimulator } from '../acquirers/stripe-simulator/simulator.ts';
import type { CleansUp } from '../support/engines.ts';
import {
  callPaydesk,
  type FinishedCommand,
  freshFolder,
  paydeskJson,
  runPaydesk,
  type Settings,
  startPaydeskCommand,
} from '../support/paydesk-process.ts';
import { aMoment } from '../support/records.ts';
import { until } from '../support/until.ts';

const publicUrl = 'https://pay.test.example';
const key = (fill: number): string => Buffer.alloc(32, fill).toString('base64');

interface Added {
  readonly acquirer: string;
  readonly [field: string]: unknown;
}

async function scene(t: CleansUp) {
  const folder = await freshFolder(t);
  const stripe = await startStripeSimulator(t);
  const mollie = await startMollieSimulator(t);
  const settings: Settings = {
    DATABASE_URL: `sqlite:${join(folder, 'paydesk.db')}`,
    PAYDESK_SECRET_KEY: key(1),
    PAYDESK_PUBLIC_URL: publicUrl,
    PAYDESK_STRIPE_API_URL: stripe.url,
    PAYDESK_MOLLIE_API_URL: mollie.url,
  };
  const options = { folder, settings };
  const { merchant } = await paydeskJson<{ merchant: string }>(
    ['merchant', 'create', '--name', 'Acme'],
    options,
    callPaydesk,
  );
  const credentials = {
    stripe: { secret_key: stripe.secretKey, publishable_key: 'pk_test_1', webhook_secret: 'whsec_1' },
    mollie: { api_key: mollie.keys.test },
  };
  function run(args: readonly string[], input: unknown = '', more: Settings = {}): Promise<FinishedCommand> {
    const text = typeof input === 'string' ? input : JSON.stringify(input);
    return runPaydesk(args, { folder, settings: { ...settings, ...more }, input: text });
  }
  async function add(provider: 'stripe' | 'mollie', args: readonly string[] = []): Promise<Added> {
    const ended = await run(['acquirer', 'add', '--provider', provider, '--json', ...args], credentials[provider]);
    assert.equal(ended.code, 0, ended.stderr);
    return JSON.parse(ended.stdout) as Added;
  }
  const accounts = () => paydeskJson<Added[]>(['acquirer', 'list'], options, callPaydesk);
  return { folder, stripe, mollie, settings, options, merchant, credentials, run, add, accounts };
}

async function accountFindings({ options }: { options: Parameters<typeof callPaydesk>[1] }, more: Settings = {}) {
  const ended = await callPaydesk(['doctor', '--json'], { ...options, settings: { ...options?.settings, ...more } });
  const findings = JSON.parse(ended.stdout) as Finding[];
  return { code: ended.code, findings: findings.filter(({ check }) => check === 'acquirers') };
}

describe('paydesk acquirer add', () => {
  it('prints exactly the fields of the contract, and no secret', async (t) => {
    const shop = await scene(t);
    const stripe = await shop.add('stripe', ['--merchant', shop.merchant, '--methods', 'card', '--name', 'Main']);
    assert.deepEqual(stripe, {
      acquirer: stripe.acquirer,
      provider: 'stripe',
      livemode: false,
      name: 'Main',
      methods: ['card'],
      status: 'enabled',
      notification_url: `${publicUrl}/acquirers/${stripe.acquirer}/notifications`,
    });
    const mollie = await shop.add('mollie', ['--methods', 'ideal, bancontact']);
    assert.deepEqual([mollie.provider, mollie.name, mollie.methods], ['mollie', 'mollie', ['ideal', 'bancontact']]);
    const shown = await shop.run(['acquirer', 'list', '--merchant', shop.merchant]);
    assert.match(shown.stdout, /ACCOUNT .* PROVIDER .* STATUS/);
    assert.match(shown.stdout, new RegExp(`${stripe.acquirer} .*stripe +test +enabled +card +Main`));
    const updated = await shop.run(['acquirer', 'update', stripe.acquirer, '--name', 'Second', '--json']);
    assert.deepEqual(JSON.parse(updated.stdout), { ...stripe, name: 'Second' });
    const disabled = await shop.run(['acquirer', 'disable', stripe.acquirer, '--json']);
    assert.deepEqual(JSON.parse(disabled.stdout), { ...stripe, name: 'Second', status: 'disabled' });
  });

  it('reads a file with a byte order mark, and values with spaces around them', async (t) => {
    const shop = await scene(t);
    const { api_key: apiKey } = shop.credentials.mollie;
    const input = `\uFEFF{\r\n  "api_key": " ${apiKey}\\n"\r\n}\r\n`;
    const ended = await shop.run(['acquirer', 'add', '--provider', 'mollie', '--methods', 'ideal'], input);
    assert.equal(ended.code, 0, ended.stderr);
  });

  it('refuses bad input with the reason, without repeating a secret, and stores nothing', async (t) => {
    const shop = await scene(t);
    const { stripe, mollie } = shop.credentials;
    const to = (provider: string, ...args: string[]) => ['acquirer', 'add', '--provider', provider, ...args];
    const live = { secret_key: 'sk_live_hidden1', publishable_key: 'pk_live_1', webhook_secret: 'whsec_hidden1' };
    const swapped = { ...stripe, secret_key: stripe.publishable_key, publishable_key: stripe.secret_key };
    const http = { PAYDESK_STRIPE_API_URL: 'http://api.stripe.example' };
    const refused: [args: string[], input: unknown, reason: RegExp, settings?: Settings][] = [
      [to('stripe'), live, /`secret_key` is a live key\. Add `--live`/],
      [to('stripe', '--live'), stripe, /`secret_key` is a test key\. Live payments need the live key/],
      [to('mollie'), { api_key: `live_${'h1dden'.repeat(5)}` }, /`api_key` is a live key.*add `--live`/],
      [to('mollie', '--live'), mollie, /`api_key` is a test key\. Use the live key/],
      [to('stripe'), mollie, /missing; stripe needs secret_key, publishable_key, webhook_secret/],
      [to('stripe'), { ...stripe, secret_key: mollie.api_key }, /`secret_key` must look like/],
      [to('mollie'), { api_key: stripe.secret_key }, /must be an API key of Mollie/],
      [to('stripe'), swapped, /`secret_key` must look like .* starts like a publishable key/],
      [to('stripe'), { ...stripe, publishable_key: 'pk_live_1' }, /`publishable_key` is a live key/],
      [
        to('stripe'),
        { ...stripe, secret_key: 'sk_test_hidden1' },
        /credentials are wrong: Stripe does not accept the secret key/,
      ],
      [to('mollie'), { api_key: `test_${'h1dden'.repeat(5)}` }, /does not accept the API key/],
      [to('stripe'), { ...stripe, webhook_secret: '' }, /webhook_secret missing/],
      [to('stripe'), { ...stripe, extra: 'hidden1' }, /a field is unknown/],
      [to('mollie'), { apikey: mollie.api_key }, /api_key missing \(a field is misspelt: api_key\?\)/],
      [to('mollie'), '', /standard input is empty/],
      [to('mollie'), mollie.api_key, /must be the credentials as JSON: \{ "api_key": "…" \}/],
      [to('mollie'), [mollie], /must be the credentials as JSON/],
      [to('mollie'), 'x'.repeat(70_000), /larger than 65536 bytes/],
      [to('mollie', mollie.api_key), '', /an argument looks like a secret/],
      [to('stripe', '--secret-key', stripe.secret_key), '', /an argument looks like a secret/],
      [to('stripe', '--methods', 'crad'), stripe, /does not serve "crad", but card/],
      [to('stripe', '--methods', 'ideal'), stripe, /stripe does not serve "ideal"; use one or more of card/],
      [to('strpe'), stripe, /"strpe" is not a provider\. Did you mean stripe\?/],
      [
        to('mollie', '--merchant', `${shop.merchant.slice(0, -1)}!`),
        mollie,
        new RegExp(`did you mean ${shop.merchant}`),
      ],
      [to('mollie', '--merchant', 'acme'), mollie, new RegExp(`did you mean ${shop.merchant}`)],
      [to('stripe', '--live'), live, /live payments need https/, { PAYDESK_PUBLIC_URL: 'http://pay.test.example' }],
      [to('stripe'), stripe, /PAYDESK_STRIPE_API_URL must be an https address/, http],
    ];
    for (const [args, input, reason, more] of refused) {
      const ended = await shop.run(args, input, more);
      assert.equal(ended.code, 1, `${args.join(' ')}: ${ended.stdout}`);
      assert.match(ended.stderr, reason);
      assert.doesNotMatch(ended.stderr, /hidden1|h1dden|simulat/, 'no secret is repeated');
    }
    assert.deepEqual(await shop.accounts(), []);
    const listed = await shop.run(['acquirer', 'list', '--merchant', 'acct_none']);
    assert.deepEqual([listed.code, /no merchant acct_none exists/.test(listed.stderr)], [1, true]);
  });

  it('and every other command stop at an address of a provider that is neither https nor on loopback', async (t) => {
    const shop = await scene(t);
    const settings = { PAYDESK_STRIPE_JS_URL: 'http://js.example/v3/', PAYDESK_MOLLIE_API_URL: 'ftp://127.0.0.1' };
    for (const command of [['start'], ['acquirer', 'list']]) {
      const ended = await shop.run(command, '', settings);
      assert.equal(ended.code, 1);
      for (const name of Object.keys(settings))
        assert.match(ended.stderr, new RegExp(`${name} must be an https address`));
    }
  });

  it('warns about methods that are not switched on, and about notifications that cannot arrive', async (t) => {
    const shop = await scene(t);
    shop.mollie.enableMethods(['ideal']);
    const args = ['acquirer', 'add', '--provider', 'mollie', '--methods', 'ideal,blik'];
    const added = await shop.run(args, shop.credentials.mollie);
    assert.equal(added.code, 0);
    assert.match(added.stderr, /Not switched on at mollie: blik/);
    // Nothing answers there; the address counts as that of the real provider.
    const unreachable = {
      PAYDESK_MOLLIE_API_URL: 'https://mollie.invalid',
      PAYDESK_PUBLIC_URL: 'http://localhost:4020',
    };
    const local = await shop.run(args, shop.credentials.mollie, unreachable);
    assert.equal(local.code, 0, local.stderr);
    assert.match(local.stderr, /cannot send notifications to http:\/\/localhost:4020, which is not public/);
    assert.match(local.stderr, /could not be asked whether the credentials are right/);
  });
});

describe('paydesk acquirer check', () => {
  it('shows what the provider says, and exits with 1 if something is wrong', async (t) => {
    const shop = await scene(t);
    const { acquirer } = await shop.add('stripe');
    const checked = await shop.run(['acquirer', 'check', acquirer]);
    assert.equal(checked.code, 0, checked.stderr);
    assert.match(checked.stdout, /account +acct_1Simulated \(DE\)/);
    assert.match(checked.stdout, /methods +card/);
    assert.match(checked.stdout, /our clock +\d\.\d s (ahead|behind)/);
    const { acquirer: mollie } = await shop.add('mollie', ['--methods', 'ideal,blik']);
    shop.mollie.enableMethods(['ideal']);
    const missing = await shop.run(['acquirer', 'check', mollie]);
    assert.equal(missing.code, 1);
    assert.match(missing.stdout, /switched off +blik/);
    await shop.mollie.close();
    const silent = await shop.run(['acquirer', 'check', mollie]);
    assert.equal(silent.code, 1);
    assert.match(silent.stderr, /mollie could not be asked/);
  });

  it('pays, captures and refunds at Stripe by itself', async (t) => {
    const shop = await scene(t);
    const { acquirer } = await shop.add('stripe');
    const paid = await shop.run(['acquirer', 'check', acquirer, '--pay', '--json']);
    assert.equal(paid.code, 0, paid.stderr);
    const { steps } = JSON.parse(paid.stdout) as { steps: { name: string; ok: boolean; reference: string }[] };
    assert.deepEqual(
      steps.map(({ name, ok }) => [name, ok]),
      [
        ['payment', true],
        ['capture', true],
        ['refund', true],
      ],
    );
    assert.match(paid.stderr, /ok +payment +pi_\w+ +The payment succeeded\.\n.*capture.*\n.*refund +re_/);
    const { captured, refunded, held } = shop.stripe.totals();
    assert.deepEqual([captured > 0, refunded - captured, held], [true, 0, 0]);

    shop.stripe.faults.inject('payment_intents.capture', '503_before');
    const failed = await shop.run(['acquirer', 'check', acquirer, '--pay']);
    assert.equal(failed.code, 1, 'a step that failed');
  });

  it('waits at Mollie until someone has paid in the browser', async (t) => {
    const shop = await scene(t);
    const { acquirer } = await shop.add('mollie', ['--methods', 'card,ideal']);
    const command = startPaydeskCommand(t, ['acquirer', 'check', acquirer, '--pay'], shop.settings);
    const link = () => /open (http\S+)/.exec(command.stdout())?.[1];
    await until('the link is shown', () => link() !== undefined);
    await until(
      'it asks again',
      () => shop.mollie.requests.filter((one) => /GET .*\/payments\/tr_/.test(one)).length > 1,
    );
    await shop.mollie.choose(link() ?? '', 'authorized');
    assert.equal(await command.ended(), 0, command.stderr());
    assert.match(command.stdout(), /ok +payment +tr_\w+ +Created.*\n[\s\S]*ok +capture +cpt_[\s\S]*ok +refund +re_/);
    assert.match(command.stdout(), /methods +card, ideal/);
  });

  it('stops waiting on Ctrl-C', async (t) => {
    const shop = await scene(t);
    const { acquirer } = await shop.add('mollie', ['--methods', 'card']);
    const command = startPaydeskCommand(t, ['acquirer', 'check', acquirer, '--pay'], shop.settings);
    await until('it asks', () => shop.mollie.requests.some((one) => /GET .*\/payments\/tr_/.test(one)));
    command.signal('SIGINT');
    assert.equal(await command.ended(), 130, command.stderr());
    assert.match(command.stderr(), /interrupted; the test payment was not paid/);
  });

  it('fails if the payment was not paid, and says why', async (t) => {
    const shop = await scene(t);
    const { acquirer } = await shop.add('mollie', ['--methods', 'card']);
    const command = startPaydeskCommand(t, ['acquirer', 'check', acquirer, '--pay'], shop.settings);
    const link = () => /open (http\S+)/.exec(command.stdout())?.[1];
    await until('the link is shown', () => link() !== undefined);
    await shop.mollie.choose(link() ?? '', 'canceled');
    assert.equal(await command.ended(), 1);
    assert.match(command.stdout(), /WRONG +capture .*Not tried: the payment is abandoned/);
  });
});

describe('paydesk doctor', () => {
  it('asks each account’s provider, and says what is wrong', async (t) => {
    const shop = await scene(t);
    assert.deepEqual((await accountFindings(shop)).findings, []);
    const { acquirer: stripe } = await shop.add('stripe');
    const { acquirer: mollie } = await shop.add('mollie', ['--methods', 'ideal']);
    const fine = await accountFindings(shop);
    assert.deepEqual(
      fine.findings.map(({ ok, warning, found }) => [ok, warning, /^acq_\w+ \(\w+, test\): reachable/.test(found)]),
      [
        [true, undefined, true],
        [true, undefined, true],
      ],
    );
    const about = (findings: Finding[], id: string) => findings.find(({ found }) => found.startsWith(id));

    shop.mollie.enableMethods(['creditcard']);
    const warned = about((await accountFindings(shop)).findings, mollie);
    assert.deepEqual([warned?.ok, warned?.warning], [true, true]);
    assert.match(warned?.found ?? '', /not switched on at mollie: ideal/);
    shop.stripe.withhold('disputes');
    const lacking = about((await accountFindings(shop)).findings, stripe);
    assert.deepEqual([lacking?.ok, lacking?.warning], [true, true]);
    assert.match(lacking?.found ?? '', /lacks permissions: Disputes \(read\)/);

    await shop.mollie.close();
    await shop.stripe.close();
    const down = await accountFindings(shop);
    assert.equal(down.code, 1);
    assert.match(about(down.findings, stripe)?.found ?? '', /stripe could not be asked/);
    await callPaydesk(['acquirer', 'disable', stripe], shop.options);
    const disabled = about((await accountFindings(shop)).findings, stripe);
    assert.deepEqual([disabled?.ok, disabled?.warning], [true, true], 'nothing is paid with it');
  });

  it('lists accounts in the order of `acquirer list`, whichever provider responds first', async (t) => {
    const shop = await scene(t);
    await shop.add('stripe');
    await shop.add('mollie', ['--methods', 'ideal']);
    const mollieIsDone = Promise.withResolvers<void>();
    const refusing = async (before: Promise<void>, onDisconnected: () => void): Promise<string> => {
      const server = createServer(async (_, response) => {
        await before;
        response.writeHead(401, { 'Content-Type': 'application/json' }).end('{}');
      });
      server.on('connection', (socket) => socket.once('close', onDisconnected));
      t.after(() => server.close());
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    };
    const { findings } = await accountFindings(shop, {
      PAYDESK_STRIPE_API_URL: await refusing(mollieIsDone.promise, () => {}),
      PAYDESK_MOLLIE_API_URL: await refusing(Promise.resolve(), mollieIsDone.resolve),
    });
    const listed = (await shop.accounts()).map(({ acquirer }) => acquirer);
    assert.deepEqual(
      findings.map(({ found }) => found.split(' ')[0]),
      listed,
    );
    assert.equal(listed.length, 2);
  });

  it('finds a clock that is off', async (t) => {
    const shop = await scene(t);
    await shop.add('mollie', ['--methods', 'ideal']);
    const ahead = await startMollieSimulator(t, { now: () => Date.now() - 300_000 });
    const off = await accountFindings(shop, { PAYDESK_MOLLIE_API_URL: ahead.url });
    assert.match(off.findings[0]?.found ?? '', /our clock is 30\d\.\d s ahead/);
    assert.equal(off.findings[0]?.ok, false);
  });
});

describe('Credentials of accounts', () => {
  it('are re-encrypted by secret-key rotate, and doctor finds those that cannot be read', async (t) => {
    const shop = await scene(t);
    const { acquirer } = await shop.add('stripe');
    const rotating = { ...shop.settings, PAYDESK_OLD_SECRET_KEY: key(1), PAYDESK_SECRET_KEY: key(9) };
    const rotated = await paydeskJson<Added>(
      ['secret-key', 'rotate'],
      { ...shop.options, settings: rotating },
      callPaydesk,
    );
    assert.deepEqual([rotated.acquirer_accounts, rotated.unreadable], [1, []]);
    const settings = { ...shop.settings, PAYDESK_SECRET_KEY: key(9) };
    const options = { ...shop.options, settings };
    const checked = await callPaydesk(['acquirer', 'check', acquirer], options);
    assert.equal(checked.code, 0, checked.stderr);
    assert.deepEqual(
      (await accountFindings({ options })).findings.map(({ ok }) => ok),
      [true],
    );

    const path = join(shop.folder, 'paydesk.db');
    const store = await openStore(
      { engine: 'sqlite', path },
      { serving: false, schema: 'existing', onConnectionLost: () => {} },
    );
    const [account = assert.fail()] = await store.walk('acquirerAccounts', null, 10);
    // What someone could do who can write to the database but has no key: use another merchant's account.
    const copy = { ...account, id: aMoment().newId('acq'), version: 0 };
    await store.commit({ acquirerAccounts: [copy] });
    await store.close();
    const problem = (await accountFindings({ options })).findings.find(({ ok }) => !ok);
    assert.match(problem?.found ?? '', new RegExp(`${copy.id} .*cannot be decrypted`));
    const used = await callPaydesk(['acquirer', 'check', copy.id], options);
    assert.deepEqual([used.code, /cannot be decrypted/.test(used.stderr)], [1, true]);
    assert.equal((await callPaydesk(['acquirer', 'check', acquirer], options)).code, 0);
  });

  it('are in backups, and usable after a restore with the same key only', async (t) => {
    const shop = await scene(t);
    const { acquirer } = await shop.add('stripe');
    const file = join(shop.folder, 'backup.db');
    assert.equal((await callPaydesk(['backup', file], shop.options)).code, 0);
    const settings = { ...shop.settings, DATABASE_URL: `sqlite:${join(shop.folder, 'restored.db')}` };
    const restored = await callPaydesk(['restore', file], { ...shop.options, settings });
    assert.equal(restored.code, 0, restored.stderr);
    const checked = await callPaydesk(['acquirer', 'check', acquirer], { ...shop.options, settings });
    assert.equal(checked.code, 0, checked.stderr);
    const other = { ...settings, PAYDESK_SECRET_KEY: key(2) };
    const refused = await callPaydesk(['acquirer', 'check', acquirer], { ...shop.options, settings: other });
    assert.equal(refused.code, 1);
  });
});
