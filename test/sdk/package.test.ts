// The package as merchants use it: packed, installed, type-checked and run on their Node; and the examples in its README.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { version } from '../../sdk/src/version.ts';
import { signWebhook } from '../../src/domain/webhook-signature.ts';
import { version as serviceVersion } from '../../src/version.ts';
import { sqlite } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { paydeskForSuite } from '../support/paydesk.ts';
import { environment, freshFolder } from '../support/paydesk-process.ts';
import { type Consumer, copySdk, findMerchantNode, newConsumer } from '../support/sdk-consumer.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);
const secret = 'whsec_1testreceiver';

/** What a block without imports takes for granted. */
const prelude = "import { Paydesk } from '@paydesk/node';\nconst paydesk = new Paydesk();\n";

interface Snippet {
  readonly file: string;
  readonly text: string;
}

/** The TypeScript blocks of the README, by the file name in their first line or by their position. */
function snippetsOf(readme: string): Snippet[] {
  return [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ''], place) => ({
    file: /^\/\/ (\S+\.ts)\n/.exec(code)?.[1] ?? `snippet-${place}.ts`,
    text: code.includes("from '@paydesk/node'") ? `${code}export {};\n` : `${prelude}${code}export {};\n`,
  }));
}

describe('The README of the package', () => {
  it('installs it in an empty project beside a checkout, with its first commands', async (t) => {
    const home = await freshFolder(t);
    await copySdk(join(home, 'paydesk'));
    const shop = join(home, 'shop');
    await mkdir(shop);
    const readme = await readFile(join(home, 'paydesk', 'sdk', 'README.md'), 'utf8');
    const [, commands = ''] = /^```sh\n([\s\S]*?)^```$/m.exec(readme) ?? [];
    const env = { ...environment({ HOME: home }), npm_config_offline: 'true', npm_config_audit: 'false' };
    await run('sh', ['-euc', commands], { cwd: shop, env });
    const program = "import { Paydesk } from '@paydesk/node'; console.log(typeof Paydesk);";
    const node = await findMerchantNode();
    const { stdout } = await run(node, ['--input-type=module', '-e', program], { cwd: shop });
    assert.equal(stdout, 'function\n');
  });
});

describe('The package', () => {
  const server = paydeskForSuite(sqlite);
  const cleanUps: (() => Promise<void>)[] = [];
  let consumer: Consumer;
  let snippets: Snippet[];
  let complaints: string;
  let node: string;

  before(async () => {
    consumer = await newConsumer({ after: (work) => cleanUps.push(work) });
    await writeFile(join(consumer.folder, 'package.json'), '{ "type": "module" }');
    snippets = snippetsOf(await readFile(join(consumer.installed, 'README.md'), 'utf8'));
    for (const { file, text } of snippets) await writeFile(join(consumer.folder, file), text);
    complaints = await consumer.typeCheck();
    node = await findMerchantNode();
  });
  after(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });

  it('contains code, types, licence and README, has the version of the service, and has no dependencies', async () => {
    const files = await readdir(consumer.installed, { recursive: true, withFileTypes: true });
    const names = files.filter((file) => file.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    const inside = names.map((name) => name.slice(consumer.installed.length + 1));
    const besideCode = inside.filter((name) => !/^dist\/[\w/-]+\.(?:js|d\.ts)$/.test(name));
    assert.deepEqual(besideCode.sort(), ['LICENSE', 'README.md', 'package.json']);
    assert.ok(inside.includes('dist/paydesk.js') && inside.includes('dist/paydesk.d.ts'));
    const manifest = JSON.parse(await readFile(join(consumer.installed, 'package.json'), 'utf8'));
    assert.deepEqual([manifest.name, manifest.license, manifest.type], ['@paydesk/node', 'Apache-2.0', 'module']);
    assert.deepEqual([manifest.version, version], [serviceVersion, serviceVersion]);
    for (const needed of ['dependencies', 'peerDependencies', 'optionalDependencies']) assert.ok(!(needed in manifest));
  });

  it('works on the Node of merchants: sessions, lists, errors, webhooks', async (test) => {
    test.diagnostic(`Node ${(await run(node, ['-v'])).stdout.trim()}`);
    const program = join(consumer.folder, 'try-package.js');
    await copyFile(new URL('./programs/try-package.js', import.meta.url), program);
    const merchant = await server().newMerchant();
    const given = JSON.stringify({ apiKey: merchant.test.key, baseUrl: server().url });
    const { stdout, stderr } = await run(node, [program, given]);
    assert.equal(stderr, '');
    const { listed, ...seen } = JSON.parse(stdout);
    assert.deepEqual(listed.sort(), [1250, 1300]);
    assert.deepEqual(seen, {
      status: 'open',
      error: [true, 'parameter_invalid', 'amount'],
      event: 'checkout_session.expired',
      refused: [true, 'body_not_raw'],
    });
  });

  it('has types for a strict project, and a README that matches them', async () => {
    assert.ok(snippets.length >= 10);
    assert.equal(complaints, '');
    await writeFile(join(consumer.folder, 'wrong.ts'), `${prelude}await paydesk.refunds.list({ limit: 'ten' });\n`);
    assert.match(await consumer.typeCheck(), /^wrong\.ts\(3,\d+\): error TS2322: Type 'string' is not assignable/);
  });

  for (const receiver of ['express', 'fastify', 'hono', 'http']) {
    it(`has a receiver for ${receiver} that accepts genuine webhooks once and rejects others`, async (test) => {
      assert.equal(snippets.filter(({ file }) => file === `${receiver}-receiver.ts`).length, 1);
      const port = await freePort();
      const child = spawn(node, [join(consumer.folder, `${receiver}-receiver.js`)], {
        env: { PATH: process.env.PATH, PORT: String(port), PAYDESK_WEBHOOK_SECRET: secret },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = once(child, 'exit');
      test.after(async () => {
        child.kill();
        await ended;
      });
      let printed = '';
      child.stdout.on('data', (chunk) => {
        printed += String(chunk);
      });
      const post = (body: string, header: string | undefined): Promise<Response> =>
        fetch(`http://localhost:${port}/webhooks`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', ...(header && { 'Service-Signature': header }) },
          body,
        });
      const now = Math.floor(Date.now() / 1000);
      // With bytes that parsing and serialising again would change.
      const body = `{"id":"evt_1", "type":"payment_intent.succeeded","created_at":"2026-01-01T00:00:00.000Z",
        "livemode":false,"data":{"id":"pi_1","metadata":{"order":"Zoë \\u0041"}}}\n`;
      await until('it listens', () => post('{}', undefined).then(Boolean, () => false));
      assert.equal((await post(body, undefined)).status, 400);
      const forged = await post(body, signWebhook('whsec_2', now, body));
      assert.equal(forged.status, 400);
      assert.match(await forged.text(), /does not match this body with any of the secrets/);
      assert.equal((await post(body, signWebhook(secret, now - 400, body))).status, 400);
      assert.equal(printed, '');
      for (let time = 0; time < 2; time += 1)
        assert.equal((await post(body, signWebhook(secret, now, body))).status, 200);
      await until('it is handled', () => printed !== '');
      assert.equal(printed, 'order Zoë A is paid: ship it\n');
    });
  }
});
