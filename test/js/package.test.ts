// `@paydesk/js` as shops use it: packed, installed, type-checked, bundled and run in a real browser.

import assert from 'node:assert/strict';
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { version } from '../../src/version.ts';
import { goodCard, paidOnce } from '../browser/browsing-customer.ts';
import { frameAt, payIn, seesHeadingIn } from '../browser/embedding-shop.ts';
import { checkoutForSuite, type VisitOptions } from '../support/browser.ts';
import { sqlite } from '../support/engines.ts';
import { type JsConsumer, newJsConsumer } from '../support/js-consumer.ts';
import { until } from '../support/until.ts';

const byCard = { ui_mode: 'embedded', payment_method_types: ['card'] };

describe('The package @paydesk/js', () => {
  const started = checkoutForSuite(sqlite);
  const cleanUps: (() => Promise<void>)[] = [];
  const suite = { after: (work: () => Promise<void>) => cleanUps.push(work) };
  let consumer: JsConsumer;
  before(async () => {
    consumer = await newJsConsumer(suite);
    await writeFile(join(consumer.folder, 'package.json'), '{ "type": "module" }');
  });
  after(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });

  /** Serves a page that runs a bundle. */
  async function shopWith(bundle: string): Promise<string> {
    const server = createServer((request, response) => {
      const isScript = request.url === '/shop.js';
      response.statusCode = isScript || request.url === '/' ? 200 : 404;
      response.setHeader('Content-Type', `text/${isScript ? 'javascript' : 'html'}; charset=utf-8`);
      const globals = JSON.stringify({ origin: started().paydesk.url, calls: [] });
      response.end(
        isScript
          ? bundle
          : `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,"><div id="root"></div>
<script>globalThis.shop = ${globals}</script><script src="/shop.js"></script></html>`,
      );
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    server.listen(0, '127.0.0.1', resolve);
    await promise;
    suite.after(async () => {
      server.closeAllConnections();
      server.close();
    });
    return `http://localhost:${(server.address() as AddressInfo).port}`;
  }
  const callsOn = (page: Page): Promise<string[]> => page.evaluate('shop.calls') as Promise<string[]>;

  it('contains code, types, licence and README, has the version of the service, and needs only React, if that', async () => {
    const files = await readdir(consumer.installed, { recursive: true, withFileTypes: true });
    const inside = files
      .filter((file) => file.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(consumer.installed.length + 1));
    assert.deepEqual(inside.sort(), [
      'LICENSE',
      'README.md',
      'dist/paydesk.d.ts',
      'dist/paydesk.js',
      'dist/react.d.ts',
      'dist/react.js',
      'package.json',
    ]);
    const manifest = JSON.parse(await readFile(join(consumer.installed, 'package.json'), 'utf8'));
    assert.deepEqual([manifest.name, manifest.version, manifest.license], ['@paydesk/js', version, 'Apache-2.0']);
    assert.ok(!('dependencies' in manifest));
    assert.deepEqual(manifest.peerDependenciesMeta, { react: { optional: true } });
  });

  it('has types for a strict project, and a README that matches them', async () => {
    const readme = await readFile(join(consumer.installed, 'README.md'), 'utf8');
    const snippets = [...readme.matchAll(/^```(tsx?)\n([\s\S]*?)^```$/gm)];
    assert.equal(snippets.length, 2);
    const names = snippets.map(([, extension], at) => `snippet-${at}.${extension}`);
    for (const [at, [, , code = '']] of snippets.entries())
      await writeFile(join(consumer.folder, names[at] ?? ''), code);
    assert.equal(await consumer.typeCheck(...names), '');
    const wrong = "import { loadPaydesk } from '@paydesk/js';\n(await loadPaydesk('x')).createEmbeddedCheckout({});\n";
    await writeFile(join(consumer.folder, 'wrong.ts'), wrong);
    assert.match(
      await consumer.typeCheck('wrong.ts'),
      /^wrong\.ts\(2,\d+\): error TS2741: Property 'clientSecret' is missing/,
    );
  });

  it('shows the checkout in React, once per session, with the latest callbacks, and removes it', async () => {
    await copyFile(new URL('./programs/shop.tsx', import.meta.url), join(consumer.folder, 'shop.tsx'));
    assert.equal(await consumer.typeCheck('shop.tsx'), '');
    const shopUrl = await shopWith(await consumer.bundle('shop.tsx'));
    const { merchant, visit } = started();
    const [first, second] = [await merchant.newSession(byCard), await merchant.newSession(byCard)];
    await visit({ sites: [shopUrl] }, async ({ page }) => {
      await page.goto(shopUrl);
      const show = (secret: unknown): Promise<unknown> => page.evaluate(`shop.setSecret(${JSON.stringify(secret)})`);
      await show(first.client_secret);
      await until('the first is loaded', async () => (await callsOn(page)).length === 1);
      // Strict mode mounts every effect twice.
      assert.equal(await page.locator('iframe').count(), 1);
      await page.getByRole('button', { name: 'Rendered 0' }).click();
      await page.getByRole('button', { name: 'Rendered 1' }).waitFor();
      await payIn(frameAt(page), goodCard);
      await seesHeadingIn(frameAt(page), 'Payment successful');
      await until('it is complete', async () => (await callsOn(page)).length === 2);
      assert.deepEqual(await callsOn(page), ['loaded 0', `paid ${first.id} 1`]);
      await paidOnce(started(), first);
      await show(second.client_secret);
      await frameAt(page).locator('#number').waitFor();
      assert.equal(await page.locator('iframe').count(), 1);
      await show(null);
      await page.locator('iframe').waitFor({ state: 'detached' });
    });
  });

  it('tells the shop in React what is wrong with its origin or its client secret, and leaves its page alone', async () => {
    await copyFile(new URL('./programs/shop.tsx', import.meta.url), join(consumer.folder, 'shop.tsx'));
    const shopUrl = await shopWith(await consumer.bundle('shop.tsx'));
    const { visit, merchant } = started();
    const { client_secret: secret } = await merchant.newSession(byCard);
    await visit({ sites: [shopUrl], expectedMessages: /^Paydesk: / }, async ({ page }) => {
      const logged: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error') logged.push(message.text());
      });
      await page.goto(shopUrl);
      // Such as a missing environment variable.
      await page.evaluate(
        `shop.paydesk = shop.origin; shop.origin = undefined; shop.setSecret(${JSON.stringify(secret)})`,
      );
      await until('the first error is reported', async () => (await callsOn(page)).length === 1);
      await page.evaluate(`shop.origin = shop.paydesk; shop.setSecret('pi_1_secret_1')`);
      await until('the second error is reported', async () => (await callsOn(page)).length === 2);
      await page.getByRole('button', { name: 'Rendered 0' }).click();
      await page.getByRole('button', { name: 'Rendered 1' }).waitFor();
      assert.deepEqual(await callsOn(page), ['script_not_loaded', 'client_secret_invalid']);
      assert.equal(logged.length, 2);
      assert.match(logged[0] ?? '', /^Paydesk: the origin must be that of your Paydesk, .*, not undefined$/);
      assert.match(logged[1] ?? '', /^Paydesk: clientSecret must be the client_secret of a checkout session$/);
      await page.evaluate(`shop.setSecret(${JSON.stringify(secret)})`);
      await until('the checkout is loaded', async () => (await callsOn(page)).at(-1) === 'loaded 1');
    });
  });

  /** Visits a page that loads the script as the test says; `load` returns the script's functions, or what is wrong. */
  async function loading(
    options: VisitOptions,
    work: (load: (...origins: readonly unknown[]) => Promise<unknown[]>, shopUrl: string, page: Page) => Promise<void>,
  ): Promise<void> {
    await writeFile(
      join(consumer.folder, 'load.ts'),
      `import { loadPaydesk } from '@paydesk/js';
Object.assign(globalThis, { loadPaydesk });
`,
    );
    const shopUrl = await shopWith(await consumer.bundle('load.ts'));
    const sites = [shopUrl, ...(options.sites ?? [])];
    await started().visit({ ...options, sites }, async ({ page }) => {
      await page.goto(shopUrl);
      const load = (...origins: readonly unknown[]): Promise<unknown[]> =>
        page.evaluate(
          (all) =>
            Promise.all(
              all.map((origin) =>
                (globalThis as unknown as { loadPaydesk(origin: unknown): Promise<object> }).loadPaydesk(origin).then(
                  ({ createEmbeddedCheckout }: { createEmbeddedCheckout?: unknown }) => typeof createEmbeddedCheckout,
                  (error: Error) => error.message,
                ),
              ),
            ),
          [...origins],
        );
      await work(load, shopUrl, page);
    });
  }

  it('reports a script that cannot be loaded, and tries again the next time', () =>
    loading({ expectedStatus: 404 }, async (load, shopUrl, page) => {
      const { url } = started().paydesk;
      // The shop has no such script.
      assert.deepEqual(await load(shopUrl), [`Paydesk: ${shopUrl}/paydesk.js could not be loaded`]);
      assert.deepEqual(await load(url, url), ['function', 'function']);
      const isSame = `loadPaydesk(${JSON.stringify(url)}) === loadPaydesk(${JSON.stringify(url)})`;
      assert.equal(await page.evaluate(isSame), true, 'React recognises the promise');
      assert.deepEqual(await load(`${url}/`), ['function']);
      assert.equal(await page.locator('script[src$="/paydesk.js"]').count(), 1);
    }));

  it('rejects what is not an origin', () =>
    loading({}, async (load) => {
      const rule = 'Paydesk: the origin must be that of your Paydesk, such as https://pay.example, not';
      assert.deepEqual(await load(undefined, '', 'pay.example', 'localhost:4020'), [
        `${rule} undefined`,
        `${rule} ""`,
        `${rule} "pay.example"`,
        `${rule} "localhost:4020"`,
      ]);
    }));

  it('rejects a second origin on a page, however the first one was loaded', async () => {
    const { url } = started().paydesk;
    const other = url.replace('127.0.0.1', 'localhost');
    const only = (first: string, second: string): string =>
      `Paydesk: only one origin can be used on a page. It has the script of ${first} already, so ${second} cannot be used`;
    await loading({ sites: [other] }, async (load) => {
      assert.deepEqual(await load(url), ['function']);
      assert.deepEqual(await load(other), [only(url, other)]);
      assert.deepEqual(await load(url), ['function']);
    });
    await loading({ sites: [other] }, async (load) => {
      const both = await load(url, other);
      const isFirst = both[0] === 'function';
      assert.deepEqual(both, isFirst ? ['function', only(url, other)] : [only(other, url), 'function']);
    });
    await loading({ sites: [other] }, async (load, _, page) => {
      await page.addScriptTag({ url: `${other}/paydesk.js` });
      assert.deepEqual(await load(url), [only(other, url)]);
    });
  });
});
