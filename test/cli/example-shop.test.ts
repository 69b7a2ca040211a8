// The webhook endpoint of the example shop, when the shop starts again with its own data.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { Paydesk } from '../../sdk/src/paydesk.ts';
import { startProgram } from '../support/child-process.ts';
import { freePort } from '../support/free-port.ts';
import { callPaydesk, freshFolder, paydeskJson, servePaydesk } from '../support/paydesk-process.ts';

interface Scene {
  /** A key of a new merchant, which has no endpoint yet, as after a reset of Paydesk's data. */
  newKey(): Promise<string>;
  /** Starts the shop and ends it again, and returns what it has stored. */
  runShop(key: string): Promise<Readonly<Record<string, unknown>>>;
  /** Leaves what the version before stored. */
  forgetEndpoint(): void;
  endpoints(key: string): Promise<readonly string[]>;
}

async function scene(t: TestContext): Promise<Scene> {
  const folder = await freshFolder(t);
  const settings = { DATABASE_URL: `sqlite:${join(folder, 'paydesk.db')}` };
  const { url } = await servePaydesk(t, { folder, settings });
  const shopPort = String(await freePort());
  const database = join(folder, 'shop.db');
  return {
    async newKey() {
      const create = ['merchant', 'create', '--name', 'Corner shop'];
      return (await paydeskJson<{ test_key: string }>(create, { settings, folder }, callPaydesk)).test_key;
    },
    async runShop(key) {
      const shop = startProgram(new URL('../../examples/shop/shop.ts', import.meta.url), null, {
        ...{ PAYDESK_API_KEY: key, PAYDESK_URL: url },
        ...{ SHOP_PORT: shopPort, SHOP_DATABASE: database },
      });
      assert.match(await shop.firstLine(), /^The shop is open/);
      await shop.kill();
      using stored = new DatabaseSync(database);
      const rows = stored.prepare('SELECT name, value FROM settings').all();
      return Object.fromEntries(rows.map(({ name, value }) => [String(name), value]));
    },
    forgetEndpoint() {
      using stored = new DatabaseSync(database);
      stored.exec(`DELETE FROM settings WHERE name = 'webhook endpoint'`);
    },
    async endpoints(key) {
      const { data } = await new Paydesk({ apiKey: key, baseUrl: url }).webhookEndpoints.list();
      return data.map(({ id }) => id);
    },
  };
}

test('The example shop creates another endpoint if Paydesk no longer has its own', async (t) => {
  const { newKey, runShop, endpoints } = await scene(t);
  const first = await runShop(await newKey());
  const key = await newKey();
  const second = await runShop(key);
  assert.notEqual(second['webhook secret'], first['webhook secret']);
  assert.deepEqual(await endpoints(key), [second['webhook endpoint']]);
});

test('The example shop finds the endpoint that its version before created', async (t) => {
  const { newKey, runShop, forgetEndpoint, endpoints } = await scene(t);
  const key = await newKey();
  const first = await runShop(key);
  forgetEndpoint();
  assert.deepEqual(await runShop(key), first);
  assert.deepEqual(await endpoints(key), [first['webhook endpoint']]);
});
