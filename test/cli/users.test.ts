// paydesk user create | list | reset-password | disable | enable

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it } from 'node:test';
import { momentAt } from '../../src/domain/moment.ts';
import { newMembership, newUser } from '../../src/domain/user.ts';
import { openStore } from '../../src/storage/open-store.ts';
import { mustCommit } from '../support/committing.ts';
import { describeOnEachEngine, freshDatabase } from '../support/engines.ts';
import { callPaydesk, databaseUrl, freshFolder, paydeskJson, runPaydesk } from '../support/paydesk-process.ts';

interface Printed {
  readonly user: string;
  readonly email: string;
  readonly role: string;
  readonly merchant: string;
  readonly link: string | null;
}

describeOnEachEngine('paydesk user', (engine) => {
  it('creates users with a link or a password, lists, resets, disables and enables them', async (t) => {
    const folder = await freshFolder(t);
    const address = await freshDatabase(t, engine);
    const settings = { DATABASE_URL: databaseUrl(address), PAYDESK_PUBLIC_URL: 'https://pay.shop.example' };
    const options = { folder, settings };
    const json = <T>(args: readonly string[]): Promise<T> => paydeskJson<T>(args, options, callPaydesk);
    const { merchant } = await json<{ merchant: string }>(['merchant', 'create', '--name', 'Shop']);
    const create = ['user', 'create', '--merchant', merchant];

    const ana = await json<Printed>([...create, '--email', 'Ana@Shop.example', '--role', 'owner', '--name', 'Ana']);
    assert.deepEqual(
      { ...ana, user: '', link: '' },
      { user: '', email: 'ana@shop.example', role: 'owner', merchant, link: '' },
    );
    assert.match(ana.user, /^usr_/);
    assert.match(ana.link ?? '', /^https:\/\/pay\.shop\.example\/dashboard\/set-password#[0-9a-z]{40}$/);

    const withPassword = [...create, '--email', 'ben@shop.example', '--role', 'support', '--password-stdin', '--json'];
    const weak = await runPaydesk(withPassword, { ...options, input: 'password1234\n' });
    assert.equal(weak.code, 1);
    assert.match(weak.stderr, /easy to guess/);
    const made = await runPaydesk(withPassword, { ...options, input: 'we roast on tuesdays\n' });
    assert.equal(made.code, 0, made.stderr);
    const ben = JSON.parse(made.stdout) as Printed;
    assert.equal(ben.link, null);
    const again = await callPaydesk([...create, '--email', 'ana@shop.example', '--role', 'support'], options);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /already works for acct_\w+, as owner/);

    const listed = await json<(Printed & { state: string })[]>(['user', 'list']);
    assert.deepEqual(listed.map(({ email, role, state }) => [email, role, state]).toSorted(), [
      ['ana@shop.example', 'owner', 'invited'],
      ['ben@shop.example', 'support', 'active'],
    ]);
    const reset = await json<Printed>(['user', 'reset-password', 'ben@shop.example']);
    assert.deepEqual({ ...reset, link: '' }, { ...ben, link: '' });
    assert.match(reset.link ?? '', /\/dashboard\/set-password#/);
    assert.equal((await json<Printed>(['user', 'disable', 'ben@shop.example'])).link, null);
    const states = await json<{ email: string; state: string }[]>(['user', 'list', '--merchant', merchant]);
    assert.equal(states.find(({ email }) => email === 'ben@shop.example')?.state, 'disabled');
    await json(['user', 'enable', 'ben@shop.example']);
    const unknown = await callPaydesk(['user', 'disable', 'nobody@shop.example', '--json'], options);
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /no user nobody@shop\.example exists/);

    const store = await openStore(address, { serving: false, onConnectionLost: () => {} });
    t.after(() => store.close());
    const stored = await store.findBy('users', 'email', 'ben@shop.example');
    assert.equal(stored?.passwordHash, null, 'a reset ends the old password');
  });

  it('lets a user whom the operator created work for another merchant at once', async (t) => {
    const folder = await freshFolder(t);
    const options = { folder, settings: { DATABASE_URL: databaseUrl(await freshDatabase(t, engine)) } };
    const newMerchant = (name: string) =>
      paydeskJson<{ merchant: string }>(['merchant', 'create', '--name', name], options, callPaydesk);
    const [first, second] = [await newMerchant('First'), await newMerchant('Second')];
    const create = ['user', 'create', '--email', 'ana@shop.example', '--role', 'owner'];
    const withPassword = [...create, '--merchant', first.merchant, '--password-stdin'];
    assert.equal((await runPaydesk(withPassword, { ...options, input: 'we roast on tuesdays\n' })).code, 0);
    const added = await paydeskJson<Printed>([...create, '--merchant', second.merchant], options, callPaydesk);
    assert.equal(added.link, null);
    const listed = await paydeskJson<{ state: string }[]>(['user', 'list'], options, callPaydesk);
    assert.deepEqual(
      listed.map(({ state }) => state),
      ['active', 'active'],
    );
  });

  it('says that an address has an account already, and how its owner joins another merchant', async (t) => {
    const folder = await freshFolder(t);
    const address = await freshDatabase(t, engine);
    const options = { folder, settings: { DATABASE_URL: databaseUrl(address) } };
    const newMerchant = (name: string) =>
      paydeskJson<{ merchant: string }>(['merchant', 'create', '--name', name], options, callPaydesk);
    const [first, second, third] = [
      await newMerchant('First'),
      await newMerchant('Second'),
      await newMerchant('Third'),
    ];
    const create = ['user', 'create', '--email', 'ana@shop.example', '--role', 'owner'];
    // As an owner's invitation leaves it: the operator has not created it.
    const store = await openStore(address, { serving: false, onConnectionLost: () => {} });
    t.after(() => store.close());
    const moment = momentAt(Date.now(), randomBytes);
    const user = { ...newUser('ana@shop.example', 'Ana', moment), passwordHash: 'chosen by somebody' };
    const membership = newMembership({ merchantId: first.merchant, userId: user.id, role: 'support' }, null, moment);
    await mustCommit(store, { users: [user], memberships: [membership] });

    const invited = await callPaydesk([...create, '--merchant', second.merchant], options);
    assert.equal(invited.code, 0, invited.stderr);
    assert.match(invited.stdout, /ana@shop\.example has had an account since .*enter its password to join/);
    assert.match(invited.stdout, /paydesk user reset-password ana@shop\.example/);
    assert.match(invited.stdout, /\/dashboard\/set-password#/);
    const asJson = await callPaydesk([...create, '--merchant', third.merchant, '--json'], options);
    assert.match(asJson.stderr, /ana@shop\.example has had an account since/);
    assert.match((JSON.parse(asJson.stdout) as Printed).link ?? '', /\/dashboard\/set-password#/);
    const listed = await paydeskJson<{ merchant: string; state: string }[]>(['user', 'list'], options, callPaydesk);
    const states = new Map(listed.map(({ merchant, state }) => [merchant, state]));
    assert.deepEqual(
      [first, second, third].map(({ merchant }) => states.get(merchant)),
      ['active', 'invited', 'invited'],
    );
  });

  it('lists users who work for no merchant', async (t) => {
    const folder = await freshFolder(t);
    const address = await freshDatabase(t, engine);
    const options = { folder, settings: { DATABASE_URL: databaseUrl(address) } };
    const { merchant } = await paydeskJson<{ merchant: string }>(
      ['merchant', 'create', '--name', 'Shop'],
      options,
      callPaydesk,
    );
    const store = await openStore(address, { serving: false, onConnectionLost: () => {} });
    t.after(() => store.close());
    await mustCommit(store, { users: [newUser('ana@shop.example', 'Ana', momentAt(Date.now(), randomBytes))] });
    const list = <T>(...args: string[]) => paydeskJson<T[]>(['user', 'list', ...args], options, callPaydesk);
    assert.deepEqual(
      (await list<Printed & { state: string }>()).map(({ email, role, merchant, state }) => [
        ...[email, role, merchant, state],
      ]),
      [['ana@shop.example', null, null, 'removed']],
    );
    assert.match((await callPaydesk(['user', 'list'], options)).stdout, /ana@shop\.example +removed/);
    assert.deepEqual(await list('--merchant', merchant), []);
  });

  it('refuses roles, addresses and merchants that do not exist', async (t) => {
    const folder = await freshFolder(t);
    const options = { folder, settings: { DATABASE_URL: databaseUrl(await freshDatabase(t, engine)) } };
    await callPaydesk(['merchant', 'create', '--name', 'Shop'], options);
    const wrong: readonly (readonly [args: string[], problem: RegExp])[] = [
      [['--role', 'owner'], /specify an e-mail address/],
      [['--email', 'ana', '--role', 'owner'], /"ana" is not an e-mail address/],
      [['--email', 'ana@shop.example', '--role', 'boss'], /--role must be owner, developer, support, not "boss"/],
      [['--email', 'ana@shop.example', '--role', 'owner', '--merchant', 'acct_x'], /no merchant acct_x exists/],
    ];
    for (const [args, problem] of wrong) {
      const { code, stderr } = await callPaydesk(['user', 'create', ...args], options);
      assert.equal(code, 1);
      assert.match(stderr, problem);
    }
  });
});
