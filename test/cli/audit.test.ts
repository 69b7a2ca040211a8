// paydesk audit list: who changed what from the command line.

import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { it } from 'node:test';
import { describeOnEachEngine, freshDatabase } from '../support/engines.ts';
import { callPaydesk, databaseUrl, freshFolder, paydeskJson } from '../support/paydesk-process.ts';

interface Entry {
  readonly id: string;
  readonly created_at: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly merchant: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

describeOnEachEngine('paydesk audit list', (engine) => {
  it('shows every change made by commands, with the user and without secrets', async (t) => {
    const folder = await freshFolder(t);
    const settings = { DATABASE_URL: databaseUrl(await freshDatabase(t, engine)) };
    const options = { folder, settings };
    const run = <T>(...args: string[]) => paydeskJson<T>(args, options, callPaydesk);
    await run('migrate');
    const none = await callPaydesk(['audit', 'list'], options);
    assert.equal(none.stdout.trim(), 'No changes have been recorded yet.');

    const created = await run<Record<string, string>>('merchant', 'create', '--name', 'Acme Coffee');
    const merchant = created.merchant ?? '';
    await run('merchant', 'update', merchant, '--name', 'Acme Tea', '--methods', 'card');
    await run('merchant', 'update', merchant, '--name', 'Acme Tea');
    const second = await run<Record<string, string>>('key', 'create', '--live', '--name', 'till 2');
    await run('key', 'revoke', second.key ?? '');
    await run('key', 'revoke', second.key ?? '');
    await run('merchant', 'create', '--name', 'Other');

    const all = await run<Entry[]>('audit', 'list');
    assert.equal(all.length, 9);
    assert.ok(all.every(({ actor }) => actor === `cli:${userInfo().username}`));
    const own = await run<Entry[]>('audit', 'list', '--merchant', merchant);
    assert.ok(own.every((entry) => entry.merchant === merchant));
    const actions = own.map(({ action }) => action);
    assert.deepEqual(actions.slice(0, 3), ['api_key.revoked', 'api_key.created', 'merchant.updated']);
    const simultaneous = actions.slice(3).toSorted();
    assert.deepEqual(simultaneous, ['api_key.created', 'api_key.created', 'merchant.created']);
    assert.equal(own[0]?.subject, second.key);
    const [, , updated] = own;
    assert.deepEqual(updated?.details.name, { from: 'Acme Coffee', to: 'Acme Tea' });
    assert.ok(updated?.details.payment_method_types !== undefined);
    const text = JSON.stringify(all);
    for (const secret of [created.test_key, created.live_key, second.secret])
      assert.ok(!text.includes(String(secret).slice(8, 30)));

    assert.equal((await run<Entry[]>('audit', 'list', '--limit', '2')).length, 2);
    const shown = await callPaydesk(['audit', 'list', '--limit', '1'], options);
    const [headings = '', row = ''] = shown.stdout.split('\n');
    assert.match(headings, /^CREATED +ACTOR +ACTION +SUBJECT +DETAILS$/);
    assert.match(row, /^\d{4}-\S+Z {2}cli:\S+ +\w+\.created +\w+ +\{/);
    assert.match(
      (await callPaydesk(['audit', 'list', '--limit', '0'], options)).stderr,
      /a whole number from 1 to 1000/,
    );
    assert.match((await callPaydesk(['audit', 'list', '--merchant', 'acct_x'], options)).stderr, /no merchant acct_x/);
  });
});
