// paydesk user create | list | reset-password | disable | enable

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openStore } from '../../src/storage/open-store.ts';
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
