// Every command has help, and every error message says what to do.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, copyFile, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { commands } from '../../src/cli/run-command.ts';
import { callPaydesk, freshFolder, paydeskCommand, paydeskJson, runPaydesk } from '../support/paydesk-process.ts';

const names = commands.map(({ name }) => name);

describe('The command line', () => {
  it('lists its commands', async () => {
    const help = await runPaydesk(['--help']);
    assert.equal(help.code, 0);
    for (const name of names) assert.match(help.stdout, new RegExp(`^ +${name} +\\S`, 'm'));
    const expected = ['start', 'migrate', 'merchant create', 'merchant list', 'merchant update'];
    for (const name of [...expected, 'key create', 'key list', 'key revoke', 'doctor']) assert.ok(names.includes(name));
    const bare = await runPaydesk([]);
    assert.equal(bare.code, 2);
    assert.equal(bare.stdout, help.stdout);
  });

  it('explains each command with --help, without running it', async (t) => {
    const folder = await freshFolder(t);
    const settings = { DATABASE_URL: 'sqlite:must-not-be-created.db' };
    for (const name of names) {
      const { code, stdout, stderr } = await callPaydesk([...name.split(' '), '--help'], { folder, settings });
      assert.equal(code, 0, name);
      assert.match(stdout, new RegExp(`^Usage: paydesk ${name}`));
      assert.doesNotMatch(
        stdout,
        new RegExp(`^paydesk ${name}| $`, 'm'),
        `${name}: examples are indented, and no line ends with a space`,
      );
      assert.match(stdout, /--json/);
      assert.equal(stderr, '');
    }
    await assert.rejects(readFile(join(folder, 'must-not-be-created.db')));
  });

  it('accepts "help" before the name of a command or a group', async () => {
    for (const name of ['payments', 'payments list', 'start']) {
      const { stdout } = await runPaydesk([...name.split(' '), '--help']);
      assert.deepEqual(await runPaydesk(['help', ...name.split(' ')]), { code: 0, stdout, stderr: '' });
    }
    assert.match(
      (await runPaydesk(['help', 'paymnts'])).stderr,
      /unknown command "paymnts"\. Did you mean paydesk payments\?/,
    );
  });

  it('prints its version', async () => {
    const manifest = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    assert.equal((await runPaydesk(['--version'])).stdout.trim(), manifest.version);
  });

  it('reports an error and what to do, with exit code 1 and nothing on stdout', async (t) => {
    const folder = await freshFolder(t);
    const settings = { DATABASE_URL: 'sqlite:paydesk.db' };
    assert.equal((await callPaydesk(['migrate'], { folder, settings })).code, 0);
    const mistakes: [string[], RegExp][] = [
      [['strat'], /unknown command "strat"\. Did you mean paydesk start\? Run paydesk --help/],
      [['merchant'], /specify a command: paydesk merchant create, paydesk merchant list/],
      [['key', 'make'], /unknown command "key make"\. Available: paydesk key create/],
      [['merchant', 'create'], /specify a name: paydesk merchant create --name/],
      [['merchant', 'create', '--name', ' '], /--name is empty; set it to a value/],
      [['merchant', 'create', '--name', 'x'.repeat(201)], /too long; the limit is 200/],
      [['merchant', 'create', '--nmae', 'x'], /--nmae[\s\S]*Usage: paydesk merchant create/],
      [['merchant', 'update'], /specify a merchant: paydesk merchant update acct_/],
      [
        ['merchant', 'update', 'acct_x'],
        /specify what to change: --name, --currencies, --methods, --logo-url, --accent-color, --receipts, --reply-to or --embed-origins/,
      ],
      [['merchant', 'update', 'acct_x', '--name', 'y'], /no merchant acct_x exists; see paydesk merchant list/],
      [['key', 'create', '--merchant', 'acct_x'], /no merchant acct_x exists; see paydesk merchant list/],
      [['key', 'revoke'], /specify the id of a key: paydesk key revoke key_/],
      [['key', 'revoke', 'key_x'], /no API key key_x exists; see paydesk key list/],
      [['key', 'revoke', `sk_test_${'0'.repeat(33)}`], /specify the key's id \(key_…\), not the key itself/],
    ];
    for (const [args, message] of mistakes) {
      const result = await callPaydesk(args, { folder, settings });
      assert.equal(result.code, 1, args.join(' '));
      assert.match(result.stderr, message);
      assert.match(result.stderr, /^paydesk: /);
      assert.equal(result.stdout, '');
    }
    const json = await runPaydesk(['merchant', 'create', '--json'], { folder, settings });
    assert.equal(json.code, 1);
    assert.match((JSON.parse(json.stderr) as { error: string }).error, /specify a name/);
  });

  it('updates whether customers get receipts and where their replies go, with an audit entry', async (t) => {
    const options = { folder: await freshFolder(t), settings: { DATABASE_URL: 'sqlite:paydesk.db' } };
    const { merchant } = await paydeskJson<{ merchant: string }>(
      ['merchant', 'create', '--name', 'A'],
      options,
      callPaydesk,
    );
    const update = (...change: string[]) =>
      paydeskJson<Record<string, unknown>>(['merchant', 'update', merchant, ...change], options, callPaydesk);
    const { receipts, reply_to } = await update('--receipts', 'off', '--reply-to', 'help@Shop.example');
    assert.deepEqual({ receipts, reply_to }, { receipts: false, reply_to: 'help@shop.example' });
    const shown = await callPaydesk(['merchant', 'update', merchant, '--receipts', 'on'], options);
    assert.match(shown.stdout, /receipts {4}on, replies to help@shop\.example/);
    assert.equal((await update('--reply-to', 'none')).reply_to, null);
    const [last] = await paydeskJson<Record<string, unknown>[]>(['audit', 'list'], options, callPaydesk);
    assert.deepEqual(last?.details, { reply_to: { from: 'help@shop.example', to: null } });
  });

  it('registers the origins that may embed the checkout, as browsers write them', async (t) => {
    const folder = await freshFolder(t);
    const options = { folder, settings: { DATABASE_URL: 'sqlite:paydesk.db' } };
    const { merchant } = await paydeskJson<{ merchant: string }>(
      ['merchant', 'create', '--name', 'A'],
      options,
      callPaydesk,
    );
    const update = (...change: string[]) =>
      paydeskJson<Record<string, unknown>>(['merchant', 'update', merchant, ...change], options, callPaydesk);
    const registered = ['https://shop.example', 'http://localhost:3000', 'https://xn--caf-dma.example:8443'];
    const given = 'https://Shop.example/, http://localhost:3000,https://shop.example:443,https://café.example:8443';
    assert.deepEqual((await update('--embed-origins', given)).embed_origins, registered);
    const shown = await callPaydesk(['merchant', 'update', merchant, '--name', 'B'], options);
    assert.match(shown.stdout, /embedded in https:\/\/shop\.example, http:\/\/localhost:3000/);
    const many = Array.from({ length: 21 }, (_, number) => `https://${number}.example`).join();
    for (const [origins, message] of [
      ['https://shop.example/cart', /must end after the host name: use https:\/\/shop\.example/],
      ['https://*.shop.example', /must not contain a wildcard: list each origin/],
      ['shop.example', /must be an absolute URL; an origin is https:\/\/shop\.example/],
      ['https://ada:secret@shop.example', /must not contain a user name or password/],
      ['https://[::1]:3000', /must have a host name or an IPv4 address/],
      [many, /at most 20 origins can be registered, not 21/],
    ] as const) {
      const result = await callPaydesk(['merchant', 'update', merchant, '--embed-origins', origins], options);
      assert.deepEqual([result.code, message.test(result.stderr)], [1, true], result.stderr);
    }
    assert.deepEqual((await update('--name', 'C')).embed_origins, registered);
    assert.deepEqual((await update('--embed-origins', 'none')).embed_origins, []);
  });

  it('rejects unknown currencies and methods, and changes nothing', async (t) => {
    const folder = await freshFolder(t);
    const options = { folder, settings: { DATABASE_URL: 'sqlite:paydesk.db' } };
    const created = JSON.parse(
      (await callPaydesk(['merchant', 'create', '--name', 'A', '--json'], options)).stdout,
    ) as {
      merchant: string;
    };
    const before = await callPaydesk(['merchant', 'list', '--json'], options);
    for (const [change, message] of [
      [['--currencies', 'EUR,EUX'], /EUX is not a supported currency/],
      [['--receipts', 'maybe'], /--receipts must be on or off, not "maybe"/],
      [
        ['--reply-to', 'Support <help@shop.example>'],
        /is not an e-mail address; use one such as support@shop\.example/,
      ],
      [['--methods', 'card,cheque'], /cheque is not a payment method; use card, ideal/],
    ] as const) {
      const result = await callPaydesk(['merchant', 'update', created.merchant, ...change], options);
      assert.equal(result.code, 1);
      assert.match(result.stderr, message);
    }
    assert.equal((await callPaydesk(['merchant', 'list', '--json'], options)).stdout, before.stdout);
  });

  it('reports an unreachable database without its password', async (t) => {
    const folder = await freshFolder(t);
    const settings = { DATABASE_URL: 'postgres://paydesk:hunter22@127.0.0.1:1/paydesk' };
    for (const args of [['migrate'], ['merchant', 'list'], ['start']]) {
      const result = await callPaydesk(args, { folder, settings });
      assert.equal(result.code, 1);
      assert.match(result.stderr, /PostgreSQL did not respond/);
      assert.ok(!result.stderr.includes('hunter22'));
      assert.ok(!result.stderr.includes('    at '), 'no stack');
    }
  });
});

describe('bin/paydesk', () => {
  it('runs on a system with an older Node or none, and through a symbolic link', async (t) => {
    const folder = await freshFolder(t);
    const bin = join(folder, 'bin');
    await mkdir(bin);
    await writeFile(join(bin, 'node'), '#!/bin/sh\necho "this is Node 20: it cannot run TypeScript" >&2\nexit 1\n');
    await chmod(join(bin, 'node'), 0o755);
    await symlink(paydeskCommand, join(folder, 'link'));
    for (const [command, path] of [
      [join(folder, 'link'), `${bin}:/usr/bin:/bin`],
      [paydeskCommand, '/usr/bin:/bin'],
    ] as const) {
      const { status, stdout, stderr } = spawnSync(command, ['--version'], { cwd: tmpdir(), env: { PATH: path } });
      assert.equal(status, 0, String(stderr));
      assert.match(String(stdout), /^\d+\.\d+\.\d+\n$/);
      assert.equal(String(stderr), '');
    }
  });

  it('keeps compiled code beside the dependencies, where that is possible', async (t) => {
    const root = await freshFolder(t);
    await mkdir(join(root, 'bin'));
    await copyFile(paydeskCommand, join(root, 'bin/paydesk'));
    await symlink(fileURLToPath(new URL('../../src', import.meta.url)), join(root, 'src'));
    await mkdir(join(root, 'node_modules/pino'), { recursive: true });
    await mkdir(join(root, 'node_modules/.bin'));
    await symlink(process.execPath, join(root, 'node_modules/.bin/node'));
    const cache = join(root, 'node_modules/.cache');
    const run = () => spawnSync(join(root, 'bin/paydesk'), ['--version'], { env: { PATH: '/usr/bin:/bin' } });
    await writeFile(cache, 'not a folder');
    const without = run();
    await rm(cache);
    const first = run();
    for (const { status, stderr } of [without, first]) assert.deepEqual([status, String(stderr)], [0, '']);
    const kept = await readdir(join(cache, 'paydesk'), { recursive: true });
    assert.ok(kept.length > 0);
  });
});
