// The Dockerfile, the compose file and the systemd unit. No image is built here, but everything else is checked, above all
// that the files in an image are enough to run the service.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { readConfig } from '../../src/config.ts';
import { inNetworks } from '../../src/domain/public-address.ts';
import { type Fields, fieldsOf } from '../support/api-client.ts';
import { freePort } from '../support/free-port.ts';
import { environment, freshFolder } from '../support/paydesk-process.ts';
import { findBinary } from '../support/system-packages.ts';
import { until } from '../support/until.ts';
import { checkout, stepsOf } from './guide-steps.ts';

const textOf = (file: string): string => readFileSync(join(checkout, file), 'utf8');

/** The only block of the operating guide that contains this text. */
function commandsWith(part: string): string {
  const found = stepsOf('docs/operating.md').filter((step) => step.kind === 'block' && step.text.includes(part));
  const [block] = found;
  assert.ok(block?.kind === 'block' && found.length === 1, `exactly one block contains ${part}`);
  return block.text;
}

describe('The Dockerfile', () => {
  const instructions = textOf('Dockerfile')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ name: line.split(' ', 1)[0] ?? '', rest: line.slice(line.indexOf(' ') + 1).trim() }));
  const of = (name: string): string[] => instructions.filter((one) => one.name === name).map(({ rest }) => rest);
  const copied = of('COPY').filter((rest) => !rest.startsWith('--from'));

  it('has only known instructions, and runs as an unprivileged user', () => {
    const known = 'FROM COPY RUN USER WORKDIR ENV VOLUME EXPOSE HEALTHCHECK CMD ENTRYPOINT'.split(' ');
    for (const { name } of instructions) assert.ok(known.includes(name), name);
    assert.equal(of('FROM').length, 3);
    const lastFrom = instructions.findLastIndex(({ name }) => name === 'FROM');
    const users = instructions.slice(lastFrom).filter(({ name }) => name === 'USER');
    assert.deepEqual(
      users.map(({ rest }) => rest),
      ['node'],
    );
    assert.ok(of('VOLUME').includes('/data'));
  });

  it('copies exactly the files that .dockerignore allows', () => {
    const names = copied.flatMap((rest) => rest.split(' ').slice(0, -1));
    for (const name of names) assert.ok(existsSync(join(checkout, name)), name);
    const [everything, ...allowed] = textOf('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    assert.equal(everything, '*');
    assert.deepEqual(allowed.map((line) => line.slice(1)).sort(), [...new Set(names)].sort());
  });

  it('sets only existing settings', () => {
    const settings = Object.fromEntries(of('ENV').flatMap((rest) => rest.split(' ').map((pair) => pair.split('='))));
    const config = readConfig(settings);
    assert.equal(config.host, '0.0.0.0');
    for (const name of Object.keys(settings)) assert.ok(textOf('src/config.ts').includes(`'${name}'`), name);
  });

  it('has the volume and the port used in the guide', () => {
    const block = commandsWith('docker build');
    const volumes = [...block.matchAll(/ -v [\w-]+:(\S+)/g)].map(([, folder]) => folder);
    assert.deepEqual(new Set(volumes), new Set(of('VOLUME')));
    const [, outside = '', inside = ''] = / -p 127\.0\.0\.1:(\d+):(\d+)/.exec(block) ?? [];
    assert.ok(of('EXPOSE').join(' ').split(' ').includes(inside), 'the port inside');
    const [, address = ''] = / -e PAYDESK_PUBLIC_URL=(\S+)/.exec(block) ?? [];
    assert.equal(new URL(address).port, outside);
  });

  it('produces an image that serves from its own files and passes its health check', async (t) => {
    const folder = await freshFolder(t);
    const app = join(folder, 'app');
    mkdirSync(app);
    const lastFrom = instructions.findLastIndex(({ name }) => name === 'FROM');
    const ofLastStage = instructions.slice(lastFrom).map(({ rest }) => rest);
    for (const rest of copied.filter((one) => ofLastStage.includes(one))) {
      const names = rest.split(' ');
      for (const name of names.slice(0, -1))
        cpSync(join(checkout, name), join(app, basename(name)), { recursive: true });
    }
    assert.ok(ofLastStage.includes('--from=dashboard /app/dashboard/dist /app/dashboard/dist'));
    cpSync(join(checkout, 'dashboard/dist'), join(app, 'dashboard/dist'), { recursive: true });
    installForImage(app);
    const port = String(await freePort());
    const path = `${dirname(realpathSync(join(checkout, 'node_modules/.bin/node')))}:${process.env.PATH}`;
    const env = environment({ PATH: path, PORT: port, PAYDESK_METRICS_ADDRESS: 'off' });
    const [entry = ''] = JSON.parse(of('ENTRYPOINT')[0] ?? '[]') as string[];
    const child = spawn(join(folder, entry), JSON.parse(of('CMD')[0] ?? '[]') as string[], { cwd: folder, env });
    const exited = once(child, 'exit');
    t.after(async () => {
      child.kill('SIGKILL');
      await exited;
    });
    const [, health = '[]'] = /CMD (\[.*\])$/.exec(of('HEALTHCHECK')[0] ?? '') ?? [];
    const [program = '', ...args] = JSON.parse(health) as string[];
    const isHealthy = (): boolean => spawnSync(program, args, { env, timeout: 5_000 }).status === 0;
    assert.equal(isHealthy(), false, 'the check fails while nothing is listening');
    await until('the image serves', isHealthy);
    for (const page of ['/readyz', '/dashboard', '/docs', '/docs/documentation.css', '/docs/guides/operating'])
      assert.equal((await fetch(`http://127.0.0.1:${port}${page}`)).status, 200, page);
    assert.ok(existsSync(join(folder, 'data/paydesk.db')), 'the data is in the volume');
  });
});

interface Locked {
  readonly dev?: boolean;
  readonly optional?: boolean;
}

/** Links what `npm ci --omit=dev --omit=optional` would install. */
function installForImage(app: string): void {
  const { packages } = JSON.parse(textOf('package-lock.json')) as { packages: Record<string, Locked> };
  for (const [path, { dev, optional }] of Object.entries(packages)) {
    if (path === '' || dev === true || optional === true || path.lastIndexOf('node_modules/') > 0) continue;
    if (!existsSync(join(checkout, path))) continue;
    mkdirSync(join(app, path, '..'), { recursive: true });
    symlinkSync(join(checkout, path), join(app, path));
  }
}

describe('The compose file', () => {
  const { services, volumes } = parse(textOf('compose.yaml')) as { services: Fields; volumes: Fields };
  const paydesk = fieldsOf(services.paydesk);
  const postgres = fieldsOf(services.postgres);

  it('runs Paydesk with a read-only root, without capabilities, and reachable only from this machine', () => {
    assert.equal(paydesk.read_only, true);
    assert.deepEqual(paydesk.cap_drop, ['ALL']);
    assert.deepEqual(paydesk.ports, ['127.0.0.1:4020:4020']);
  });

  it('has valid settings with secrets as in the guide', async (t) => {
    const folder = await freshFolder(t);
    assert.equal(spawnSync('bash', ['-euc', commandsWith('> compose.env')], { cwd: folder }).status, 0);
    const secrets = new Map(
      readFileSync(join(folder, 'compose.env'), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const),
    );
    const fillIn = (value: unknown): string =>
      String(value).replace(/\$\{(\w+):(.)([^}]*)\}/g, (_, name: string, kind: string, rest: string) => {
        const secret = secrets.get(name);
        assert.ok(kind === '-' || secret !== undefined, `the guide does not set ${name}`);
        return secret ?? rest;
      });
    const settings = Object.fromEntries(
      Object.entries(fieldsOf(paydesk.environment)).map(([name, value]) => [name, fillIn(value)]),
    );
    const config = readConfig(settings);
    const password = secrets.get('POSTGRES_PASSWORD') ?? '';
    assert.match(password, /^[0-9a-z]+$/i, 'other characters would have to be escaped in a URL');
    assert.equal(fillIn(fieldsOf(postgres.environment).POSTGRES_PASSWORD), password);
    assert.deepEqual(config.database, {
      engine: 'postgres',
      url: `postgres://paydesk:${password}@postgres:5432/paydesk`,
    });
    assert.equal(settings.PAYDESK_SECRET_KEY, secrets.get('PAYDESK_SECRET_KEY'));
    assert.equal(config.publicUrl, 'http://localhost:4020');
    assert.ok(inNetworks(config.trustedProxies)('172.18.0.1'), 'a proxy on the same machine connects from the gateway');
  });

  it('waits for PostgreSQL, whose data is in a volume', () => {
    assert.deepEqual(paydesk.depends_on, { postgres: { condition: 'service_healthy' } });
    assert.deepEqual(postgres.volumes, [`${Object.keys(volumes)[0]}:/var/lib/postgresql`]);
    assert.match(String(postgres.image), /^postgres:(?:1[4-9]|[2-9]\d)-/);
  });
});

describe('The systemd unit', () => {
  const unit = textOf('packaging/paydesk.service');
  const setting = (name: string): string | undefined => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1];

  it('runs the command of this checkout as an unprivileged user with a read-only system', () => {
    const [program = '', argument] = (setting('ExecStart') ?? '').split(' ');
    assert.ok(existsSync(join(checkout, program.replace('/opt/paydesk/', ''))));
    assert.equal(argument, 'start');
    for (const [name, value] of Object.entries({ NoNewPrivileges: 'yes', ProtectSystem: 'strict', User: 'paydesk' }))
      assert.equal(setting(name), value);
    assert.equal(setting('WorkingDirectory'), `/var/lib/${setting('StateDirectory')}`);
    assert.ok(Number(setting('TimeoutStopSec')) > 15, 'it has time to finish');
    assert.equal(setting('Restart'), 'always', 'for systemd, death by SIGHUP is not a failure');
    const [name = '', value] = (setting('Environment') ?? '').split('=');
    assert.deepEqual(readConfig({ [name]: value }).trustedProxies, ['127.0.0.1', '::1']);
  });

  it('has the user, folder, settings and name used in the guide', () => {
    const block = commandsWith('useradd');
    const [, home, user] = /^useradd .*--home-dir (\S+) .* (\S+)$/m.exec(block) ?? [];
    assert.deepEqual([user, user, home], ['User', 'Group', 'WorkingDirectory'].map(setting));
    const [, file] = /^install -m 600 \/dev\/null (\S+)/m.exec(block) ?? [];
    assert.equal(setting('EnvironmentFile'), `-${file}`);
    const [, copied = ''] = /^cp (\S+) \/etc\/systemd\/system\/$/m.exec(block) ?? [];
    assert.equal(textOf(copied), unit);
    const [, enabled] = /^systemctl enable --now (\S+)$/m.exec(block) ?? [];
    assert.equal(`${enabled}.service`, basename(copied));
    assert.equal(setting('WantedBy'), 'multi-user.target', 'it can be enabled');
  });

  const analyze = findBinary(['systemd-analyze']);
  const skip = analyze === null ? 'systemd-analyze is not installed' : false;
  it('is valid for systemd, which rates its exposure as low', { skip }, async (t) => {
    const file = join(await freshFolder(t), 'paydesk.service');
    writeFileSync(file, unit.replace('/opt/paydesk/', checkout));
    const verified = spawnSync(analyze ?? '', ['verify', file], { encoding: 'utf8' });
    const messages = `${verified.stdout}${verified.stderr}`.split('\n');
    assert.deepEqual(
      messages.filter((line) => line.includes('paydesk')),
      [],
    );
    const rated = spawnSync(analyze ?? '', ['security', '--offline=true', '--threshold=20', file], {
      encoding: 'utf8',
    });
    assert.equal(rated.status, 0, rated.stdout);
  });
});
