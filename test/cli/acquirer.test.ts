// paydesk acquirer: accounts at providers. Credentials are read from standard input, stored sealed, and never shown.

import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import { it } from 'node:test';
import { AcquirerSilent } from '../../src/acquirers/acquirer.ts';
import { acquirerAdd, acquirerDisable, acquirerEnable, acquirerList, acquirerUpdate } from '../../src/cli/acquirer.ts';
import { acquirerCheck } from '../../src/cli/acquirer-check.ts';
import { type Command, CommandProblem, type Output, parseArguments } from '../../src/cli/command.ts';
import { openCredentials } from '../../src/domain/acquirer-account.ts';
import { secretBox } from '../../src/domain/secret-box.ts';
import { openStore } from '../../src/storage/open-store.ts';
import type { Store } from '../../src/storage/store.ts';
import {
  facts,
  liveCredentials,
  type ScriptedProvider,
  scriptedProvider,
  testCredentials,
} from '../acquirers/scripted-provider.ts';
import { type CleansUp, describeOnEachEngine, type Engine, freshDatabase } from '../support/engines.ts';
import { secretKey } from '../support/paydesk.ts';
import { callPaydesk, databaseUrl, environment, freshFolder, paydeskJson } from '../support/paydesk-process.ts';

interface Shown {
  readonly acquirer: string;
  readonly [field: string]: unknown;
}

interface Ended {
  readonly code: number;
  readonly result: unknown;
  readonly text: string;
}

async function scene(t: CleansUp, engine: Engine, { provider, providers }: ScriptedProvider) {
  const folder = await freshFolder(t);
  const address = await freshDatabase(t, engine);
  const settings = {
    DATABASE_URL: databaseUrl(address),
    PAYDESK_SECRET_KEY: Buffer.from(secretKey).toString('base64'),
    PAYDESK_PUBLIC_URL: 'https://pay.test.example',
  };
  const options = { settings, folder };
  const { merchant } = await paydeskJson<{ merchant: string }>(
    ['merchant', 'create', '--name', 'Acme'],
    options,
    callPaydesk,
  );
  /** Runs a command with this on standard input. */
  async function run(make: (world: Parameters<typeof acquirerAdd>[0]) => Command, argv: string[], input?: unknown) {
    const stderr = new PassThrough();
    const stdin = Readable.from([Buffer.from(typeof input === 'string' ? input : JSON.stringify(input ?? {}))]);
    const openDoor = () => ({
      async send() {
        throw new AcquirerSilent('no connections in this test');
      },
      close: async () => {},
    });
    const command = make({ providers, openDoor, input: { stdin, stderr } });
    const ended: { result: unknown; text: string[] } = { result: null, text: [] };
    const output: Output = {
      print: (line) => ended.text.push(line),
      result(value, text) {
        ended.result = value;
        ended.text.push(text);
      },
      line: (_value, text) => ended.text.push(text),
      progress: (text) => ended.text.push(text),
      fail(text) {
        ended.text.push(text);
        return 1;
      },
    };
    const before = process.env;
    process.env = environment(settings);
    try {
      const code = await command.run(parseArguments(command, argv), output, null);
      return { code, result: ended.result, text: ended.text.join('\n') } satisfies Ended;
    } catch (error) {
      if (!(error instanceof CommandProblem)) throw error;
      return { code: 1, result: null, text: [...ended.text, error.message].join('\n') } satisfies Ended;
    } finally {
      process.env = before;
    }
  }
  async function withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
    const store = await openStore(address, { serving: false, schema: 'existing', onConnectionLost: () => {} });
    return work(store).finally(() => store.close());
  }
  const add = async (argv: string[] = [], credentials: unknown = testCredentials): Promise<Shown> => {
    const ended = await run(acquirerAdd, ['--provider', provider.name, ...argv], credentials);
    assert.equal(ended.code, 0, ended.text);
    return ended.result as Shown;
  };
  const accounts = () => withStore((store) => store.walk('acquirerAccounts', null, 100));
  return { merchant, settings, options, run, add, accounts, withStore };
}

describeOnEachEngine('paydesk acquirer', (engine) => {
  it('adds an account, shows it without its credentials, and seals those for its row', async (t) => {
    const shop = await scene(t, engine, scriptedProvider());
    const added = await shop.add(['--merchant', shop.merchant, '--methods', 'card', '--name', 'Main']);
    assert.match(added.acquirer, /^acq_[0-9a-z]{30}$/);
    assert.deepEqual(added, {
      acquirer: added.acquirer,
      provider: 'stripe',
      livemode: false,
      name: 'Main',
      methods: ['card'],
      status: 'enabled',
      notification_url: `https://pay.test.example/acquirers/${added.acquirer}/notifications`,
    });
    const [account] = await shop.accounts();
    assert.ok(account !== undefined);
    assert.ok(!Buffer.from(account.credentials).includes('secret1'), 'sealed');
    const box = secretBox(secretKey, (count) => Buffer.alloc(count, 1));
    assert.deepEqual(openCredentials(box, account), testCredentials);
    assert.throws(() => openCredentials(box, { ...account, id: 'acq_other' }), 'bound to its row');

    const listed = await shop.run(acquirerList, []);
    const { merchant, created_at: createdAt, ...same } = (listed.result as Shown[])[0] ?? assert.fail();
    assert.deepEqual([same, merchant, typeof createdAt], [added, shop.merchant, 'string']);
    assert.ok(!JSON.stringify([listed, added]).includes('secret1'));
    const audit = await paydeskJson<{ action: string }[]>(['audit', 'list'], shop.options, callPaydesk);
    assert.ok(JSON.stringify(audit).includes('acquirer_account.created'));
    assert.ok(!JSON.stringify(audit).includes('secret1'));
  });

  it('refuses credentials of the other mode, wrong ones and malformed ones, and stores nothing', async (t) => {
    const shop = await scene(t, engine, scriptedProvider());
    const refused: [argv: string[], input: unknown, reason: RegExp][] = [
      [[], liveCredentials, /is a live key: add --live/],
      [['--live'], testCredentials, /is a test key: omit --live/],
      [[], { ...testCredentials, secret_key: 'rk_test_wrong' }, /these credentials are wrong: No such key/],
      [[], { secret_key: 'rk_test_secret1' }, /publishable_key missing/],
      [[], { ...testCredentials, extra: 'x' }, /a field is unknown/],
      [[], 'rk_test_secret1', /must be the credentials as JSON/],
      [[], { ...testCredentials, secret_key: 7 }, /must be the credentials as JSON/],
      [['--methods', 'twint'], testCredentials, /does not serve "twint"/],
      [['--merchant', 'acct_none'], testCredentials, /no merchant acct_none/],
    ];
    for (const [argv, input, reason] of refused) {
      const ended = await shop.run(acquirerAdd, ['--provider', 'stripe', ...argv], input);
      assert.equal(ended.code, 1, ended.text);
      assert.match(ended.text, reason);
      assert.doesNotMatch(ended.text, /secret1/);
    }
    const unknown = await shop.run(acquirerAdd, ['--provider', 'adyen'], testCredentials);
    assert.match(unknown.text, /"adyen" is not a provider; use stripe/);
    assert.deepEqual(await shop.accounts(), []);
  });

  it('adds an account even if the provider cannot be asked, and says so', async (t) => {
    const silent = async () => {
      throw new AcquirerSilent('no answer');
    };
    const shop = await scene(t, engine, scriptedProvider({ check: silent }));
    const ended = await shop.run(acquirerAdd, ['--provider', 'stripe'], testCredentials);
    assert.equal(ended.code, 0);
    assert.match(ended.text, /could not be asked .* paydesk acquirer check later/);
    assert.equal((await shop.accounts()).length, 1);
  });

  it('updates, disables and enables an account, and the merchant knows which serve', async (t) => {
    const shop = await scene(t, engine, scriptedProvider());
    const { acquirer: first } = await shop.add();
    const { acquirer: second } = await shop.add(['--live'], liveCredentials);
    const serving = async () => {
      const merchant = await shop.withStore((store) => store.findBy('merchants', 'id', shop.merchant));
      return merchant?.acquirers.map(({ id, livemode, methods }) => [id, livemode, methods]);
    };
    const both = ['card', 'ideal'];
    assert.deepEqual(await serving(), [
      [first, false, both],
      [second, true, both],
    ]);
    await shop.run(acquirerUpdate, [first, '--methods', 'ideal', '--name', 'Second']);
    assert.equal((await shop.run(() => acquirerDisable, [second])).code, 0);
    assert.deepEqual(await serving(), [[first, false, ['ideal']]]);
    const enabled = await shop.run(() => acquirerEnable, [second]);
    assert.equal((enabled.result as Shown).status, 'enabled');
    assert.equal((await serving())?.length, 2);

    const replaced = { ...testCredentials, secret_key: 'rk_test_secret2' };
    assert.equal((await shop.run(acquirerUpdate, [first, '--credentials'], replaced)).code, 0);
    const box = secretBox(secretKey, (count) => Buffer.alloc(count, 1));
    const stored = (await shop.accounts()).find(({ id }) => id === first) ?? assert.fail();
    assert.deepEqual(openCredentials(box, stored), replaced);
    const mixedUp = await shop.run(acquirerUpdate, [first, '--credentials'], liveCredentials);
    assert.match(mixedUp.text, /is a live key/);

    assert.match((await shop.run(acquirerUpdate, [first])).text, /specify what to change/);
    assert.match((await shop.run(() => acquirerDisable, ['acq_none'])).text, /no acquirer account acq_none/);
    const actions = await paydeskJson<{ action: string }[]>(['audit', 'list'], shop.options, callPaydesk);
    for (const action of ['updated', 'disabled', 'enabled'])
      assert.ok(JSON.stringify(actions).includes(`acquirer_account.${action}`), action);
  });

  it('keeps its credentials if the new ones are of another account at the provider', async (t) => {
    const check = async ({ secret_key: key = '' }) => {
      if (key === 'rk_test_expired') throw new AcquirerSilent('no answer');
      return { ...facts, account: key === 'rk_test_other' ? 'Other' : 'Acme' };
    };
    const shop = await scene(t, engine, scriptedProvider({ check }));
    const { acquirer } = await shop.add();
    const before = await shop.accounts();
    const other = { ...testCredentials, secret_key: 'rk_test_other' };
    const refused = await shop.run(acquirerUpdate, [acquirer, '--credentials'], other);
    assert.equal(refused.code, 1);
    assert.match(refused.text, /these credentials are of Other, but this account is Acme/);
    assert.deepEqual(await shop.accounts(), before);
    const expired = { ...testCredentials, secret_key: 'rk_test_expired' };
    assert.equal((await shop.run(acquirerUpdate, [acquirer, '--credentials'], expired)).code, 0);
    assert.equal((await shop.run(acquirerUpdate, [acquirer, '--credentials'], other)).code, 0, 'cannot be compared');
  });

  it('names the permissions that a key lacks when it is added, and when it is checked', async (t) => {
    const check = async () => ({ ...facts, missingPermissions: ['Disputes (read)'] });
    const shop = await scene(t, engine, scriptedProvider({ check }));
    const { acquirer } = await shop.add();
    const checked = await shop.run(acquirerCheck, [acquirer]);
    assert.equal(checked.code, 1);
    assert.deepEqual((checked.result as Shown).missing_permissions, ['Disputes (read)']);
    assert.match(checked.text, /not permitted +Disputes \(read\)/);
    const replaced = await shop.run(acquirerUpdate, [acquirer, '--credentials'], testCredentials);
    assert.equal(replaced.code, 0);
    assert.match(replaced.text, /The key lacks permissions: Disputes \(read\)\. Add them at stripe\./);
  });

  it('checks an account, and pays with it on request, with test keys only', async (t) => {
    const steps = [
      { name: 'payment', ok: true, reference: 'pi_1', message: 'authorised' },
      { name: 'refund', ok: false, reference: null, message: 'refused' },
    ] as const;
    const shop = await scene(t, engine, scriptedProvider({ steps }));
    const { acquirer: test } = await shop.add();
    const { acquirer: live } = await shop.add(['--live'], liveCredentials);
    const checked = await shop.run(acquirerCheck, [live]);
    assert.equal(checked.code, 0, checked.text);
    const { account, currencies, methods, clock_ahead_ms: ahead } = checked.result as Shown;
    assert.deepEqual([account, currencies, methods, ahead], ['Acme', ['EUR'], ['card', 'ideal'], 12]);
    const refused = await shop.run(acquirerCheck, [live, '--pay']);
    assert.match(refused.text, /would charge real money/);
    const paid = await shop.run(acquirerCheck, [test, '--pay']);
    assert.equal(paid.code, 1, 'a step failed');
    assert.deepEqual((paid.result as Shown).steps, steps);
    assert.match(paid.text, /ok {5}payment {2}pi_1 {2}authorised/);
  });
});
