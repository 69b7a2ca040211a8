// Settings from `.env`, and unknown variables that look like settings.

import assert from 'node:assert/strict';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Finding } from '../../src/cli/doctor.ts';
import { parseEnvFile } from '../../src/cli/env-file.ts';
import { commands } from '../../src/cli/run-command.ts';
import { settingNames, unknownSettings } from '../../src/cli/unknown-settings.ts';
import { freePort } from '../support/free-port.ts';
import { callPaydesk, freshFolder, servePaydesk } from '../support/paydesk-process.ts';

const parsed = (text: string) => Object.fromEntries(parseEnvFile(text).values);

async function doctor(folder: string, settings: Readonly<Record<string, string>> = {}) {
  const quiet = { PAYDESK_METRICS_ADDRESS: 'off', ...settings };
  const { stdout, code } = await callPaydesk(['doctor', '--json'], { folder, settings: quiet });
  return { code, findings: JSON.parse(stdout) as Finding[] };
}

describe('The text of .env', () => {
  it('is parsed like in other programs', () => {
    const text = [
      '\ufeff# settings',
      'PORT=4030',
      '  export HOST = 0.0.0.0  # all of them\r',
      "SINGLE='a # b \\n $c'",
      'DOUBLE="a \\"b\\" # c\\nd"   # comment',
      'EMPTY=',
      'COMMENT= # nothing',
      'DATABASE_URL=postgres://paydesk:p#ss=w"rd@host/db?a=b',
      'BASE64=AAAA/+==',
      'PEM="-----BEGIN',
      'lines',
      '-----END"',
      '\t',
      'PORT=4040',
    ].join('\n');
    assert.deepEqual(parsed(text), {
      PORT: '4040',
      HOST: '0.0.0.0',
      SINGLE: 'a # b \\n $c',
      DOUBLE: 'a "b" # c\nd',
      EMPTY: '',
      COMMENT: '',
      DATABASE_URL: 'postgres://paydesk:p#ss=w"rd@host/db?a=b',
      BASE64: 'AAAA/+==',
      PEM: '-----BEGIN\nlines\n-----END',
    });
    assert.deepEqual(parseEnvFile(text).problems, []);
    assert.deepEqual(parsed(''), {});
  });

  it('is reported by line if it is invalid, without quoting values', () => {
    const text = "PORT=1\nDATABASE_URL hunter22\n\nA=\"hunter22\n\nB='x' hunter22\n=hunter22\n1A=hunter22";
    const { problems } = parseEnvFile(text);
    assert.deepEqual(
      problems.map((problem) => /line (\d+)/.exec(problem)?.[1]),
      ['2', '4', '6', '7', '8'],
    );
    assert.ok(!problems.join().includes('hunter22'));
  });
});

describe('A file .env in the working directory', () => {
  it('provides settings that the environment does not, for every command, and start and doctor report it', async (t) => {
    const folder = await freshFolder(t);
    const port = await freePort();
    const text = `PORT=${port}\nDATABASE_URL=sqlite:elsewhere/p.db\nPAYDESK_RATE_LIMIT=7\nUNRELATED=hunter22\n`;
    await writeFile(join(folder, '.env'), text, { mode: 0o600 });
    const server = await servePaydesk(t, { folder, settings: { PAYDESK_RATE_LIMIT: '3' } });
    assert.match(server.stdout(), /"settings":\["DATABASE_URL"\],"msg":"settings were read from \.env"/);
    assert.ok(!`${server.stdout()}${server.stderr()}`.includes('hunter22'));
    assert.equal((await callPaydesk(['merchant', 'list'], { folder })).code, 0, 'it finds the same database');
    const [key = ''] = /sk_test_\w+/.exec(server.stdout()) ?? [];
    await writeFile(join(folder, '.env'), `${text}PAYDESK_URL=${server.url}\nPAYDESK_API_KEY=${key}\n`);
    const listed = await callPaydesk(['payments', 'list'], { folder });
    assert.equal(listed.code, 0, listed.stderr);
    await server.kill();
    const { findings } = await doctor(folder, { PAYDESK_RATE_LIMIT: '3' });
    const finding = findings.find(({ found }) => found.includes('.env'));
    assert.equal(
      finding?.found,
      'from .env: PORT, DATABASE_URL; the environment sets PAYDESK_RATE_LIMIT already, which takes precedence',
    );
  });

  it('is optional, and a folder of that name is ignored', async (t) => {
    const folder = await freshFolder(t);
    await mkdir(join(folder, '.env'));
    const { findings } = await doctor(folder);
    assert.ok(!JSON.stringify(findings).includes('.env'));
  });

  it('makes commands fail with the line of an error, which doctor also reports', async (t) => {
    const folder = await freshFolder(t);
    await writeFile(join(folder, '.env'), 'PORT=1\nDATABASE_URL: hunter22\n');
    for (const args of [['start'], ['merchant', 'list'], ['payments', 'list']]) {
      const { code, stderr } = await callPaydesk(args, { folder });
      assert.equal(code, 1);
      assert.match(stderr, /\.env, line 2: must be NAME=value/);
      assert.ok(!stderr.includes('hunter22'));
    }
    const { code, findings } = await doctor(folder);
    assert.equal(code, 1);
    assert.match(findings[0]?.found ?? '', /\.env, line 2/);
  });

  it('should be readable only by its owner if it contains the secret key', async (t) => {
    const folder = await freshFolder(t);
    const file = join(folder, '.env');
    await writeFile(file, `PAYDESK_SECRET_KEY=${Buffer.alloc(32, 7).toString('base64')}\n`);
    await chmod(file, 0o644);
    const open = await doctor(folder);
    assert.match(JSON.stringify(open.findings), /chmod 600 \.env/);
    assert.ok(open.findings.some(({ warning, found }) => warning === true && found.includes('.env')));
    await chmod(file, 0o600);
    assert.ok(!JSON.stringify((await doctor(folder)).findings).includes('chmod 600 .env'));
  });

  it('is not read for --help', async (t) => {
    const folder = await freshFolder(t);
    await writeFile(join(folder, '.env'), 'broken\n');
    assert.equal((await callPaydesk(['start', '--help'], { folder })).code, 0);
  });
});

describe('A variable that is not a setting', () => {
  it('is reported with the setting that was probably typos', () => {
    const typos: readonly (readonly [string, string])[] = [
      ['PAYDESK_SECRETKEY', 'PAYDESK_SECRET_KEY'],
      ['PAYDESK_SECRET', 'PAYDESK_SECRET_KEY'],
      ['PAYDESK_PUBLICURL', 'PAYDESK_PUBLIC_URL'],
      ['PAYDESK_PUBLIC_ULR', 'PAYDESK_PUBLIC_URL'],
      ['PAYDESK_TRUSTED_PROXY', 'PAYDESK_TRUSTED_PROXIES'],
      ['PAYDESK_PROXIES', 'PAYDESK_TRUSTED_PROXIES'],
      ['PAYDESK_WEBHOOK_PORT', 'PAYDESK_WEBHOOK_PORTS'],
      ['PAYDESK_METRICS', 'PAYDESK_METRICS_ADDRESS'],
      ['PAYDESK_DOC', 'PAYDESK_DOCS'],
      ['PAYDESK_DATABASE_URL', 'DATABASE_URL'],
      ['PAYDESK_PORT', 'PORT'],
      ['PAYDESK_LOG_LEVEL', 'LOG_LEVEL'],
      ['PAYDSEK_SECRET_KEY', 'PAYDESK_SECRET_KEY'],
      ['paydesk_docs', 'PAYDESK_DOCS'],
    ];
    for (const [name, setting] of typos) {
      assert.deepEqual(unknownSettings({ [name]: '8443' }), [`${name} is not a setting. Did you mean ${setting}?`]);
    }
    assert.deepEqual(unknownSettings({ PAYDESK_COLOUR: 'blue' }), [
      'PAYDESK_COLOUR is not a setting. paydesk start --help lists them all.',
    ]);
  });

  it('is not reported if it belongs to another program or is empty', () => {
    const fine = Object.fromEntries(settingNames().map((name) => [name, 'x']));
    assert.deepEqual(unknownSettings(fine), []);
    const link = 'tcp://10.0.0.7:4020';
    assert.deepEqual(
      unknownSettings({
        ...{
          PAYDESK_API_KEY: 'x',
          PAYDESK_URL: 'x',
          PAYDESK_FOO: ' ',
          PATH: 'x',
          PAYDESK: 'x',
          PAYPAL_SECRET_KEY: 'x',
        },
        ...{ PAYDESK_SERVICE_HOST: '10.0.0.7', PAYDESK_SERVICE_PORT: '4020', PAYDESK_SERVICE_PORT_HTTP: '4020' },
        ...{ PAYDESK_PORT: link, PAYDESK_PORT_4020_TCP: link, PAYDESK_PORT_4020_TCP_ADDR: '10.0.0.7' },
        ...{ PAYDESK_PORT_4020_TCP_PROTO: 'tcp', PAYDESK_WEB_PORT: link, PAYDESK_WEB_SERVICE_HOST: '10.0.0.7' },
      }),
      [],
    );
  });

  it('is a warning in start and doctor, not an error', async (t) => {
    const folder = await freshFolder(t);
    const settings = { PAYDESK_SECRETKEY: 'hunter22' };
    const server = await servePaydesk(t, { folder, settings });
    assert.match(
      server.stdout(),
      /"level":"warn".*PAYDESK_SECRETKEY is not a setting\. Did you mean PAYDESK_SECRET_KEY\?/,
    );
    await server.kill();
    const { code, findings } = await doctor(folder, settings);
    assert.equal(code, 0);
    const [warning] = findings.filter(({ warning }) => warning === true);
    assert.deepEqual([warning?.ok, warning?.check], [true, 'settings']);
    assert.match(warning?.found ?? '', /Did you mean PAYDESK_SECRET_KEY/);
    const { stdout } = await callPaydesk(['doctor'], {
      folder,
      settings: { ...settings, PAYDESK_METRICS_ADDRESS: 'off' },
    });
    assert.match(stdout, /^WARN +settings +PAYDESK_SECRETKEY is not/m);
    assert.ok(!`${server.stdout()}${stdout}`.includes('hunter22'));
  });
});

it('Every setting is in the help of start', () => {
  const help = commands.find(({ name }) => name === 'start')?.help ?? '';
  for (const name of settingNames()) {
    if (name === 'PAYDESK_OLD_SECRET_KEY') continue;
    assert.ok(help.includes(name.replace(/^PAYDESK_DECLINES(?=_PER_(?:ADDRESS|CARD))/, '')), name);
  }
});
