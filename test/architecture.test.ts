// Enforces the architecture rules: allowed imports, no clock or randomness in the domain, readable files.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const maxLines = 400;

interface Import {
  readonly from: string;
  /** A path from the root of the checkout, or the name of a package. */
  readonly to: string;
  readonly typeOnly: boolean;
  readonly names: readonly string[];
}

interface LayerRule {
  /** Layers and files that it may import. */
  readonly may: readonly string[];
  /** Layers and files from which it may import only types. */
  readonly mayAsTypes?: readonly string[];
  /** Allowed packages, and Node modules besides the pure ones. */
  readonly packages?: readonly (string | RegExp)[];
  /** Packages of which only the types are used. */
  readonly typesOf?: readonly string[];
}

const ports = [
  'src/storage/store.ts',
  'src/acquirers/acquirer.ts',
  'src/acquirers/acquirers.ts',
  'src/acquirers/provider.ts',
];
const anyOfNode = /^node:/;
/** Node modules without I/O. */
const pureModules = ['node:crypto', 'node:zlib'];
/** The only package that the domain uses: it only parses IP addresses. */
const addresses = 'ipaddr.js';
/** Values that may be imported from a port: the errors that it throws. */
const valuesOfPorts = ['StorageUnavailable', 'AcquirerSilent'];

/** The table of ARCHITECTURE.md. The first matching layer applies. */
const layers: readonly (readonly [layer: string, rule: LayerRule])[] = [
  ['src/domain/', { may: ['src/domain/'], packages: [addresses] }],
  ['src/usecases/', { may: ['src/usecases/', 'src/domain/'], mayAsTypes: ports }],
  ['src/storage/', { may: ['src/storage/', 'src/domain/'], packages: ['pg', anyOfNode] }],
  [
    'src/acquirers/',
    {
      // The sandbox describes its own tables.
      may: ['src/acquirers/', 'src/domain/', 'src/storage/table.ts'],
      mayAsTypes: [...ports, 'src/storage/record-store.ts'],
      packages: [anyOfNode, 'undici'],
      typesOf: ['stripe'],
    },
  ],
  [
    'src/webhooks/',
    {
      may: ['src/webhooks/', 'src/usecases/', 'src/domain/'],
      mayAsTypes: [...ports, 'src/log.ts', 'src/metrics.ts'],
      packages: [/./],
    },
  ],
  [
    'src/mail/',
    {
      may: ['src/mail/', 'src/usecases/', 'src/domain/', 'src/http/checkout/pages/', 'src/http/checkout/views.ts'],
      mayAsTypes: [...ports, 'src/config.ts', 'src/log.ts', 'src/metrics.ts'],
      packages: ['nodemailer/lib/smtp-connection', 'nodemailer/lib/mail-composer', 'node:net', /^node:timers/],
    },
  ],
  ['src/jobs/', { may: ['src/jobs/', 'src/usecases/', 'src/domain/'], mayAsTypes: ports }],
  [
    'src/http/',
    {
      may: ['src/http/', 'src/usecases/', 'src/domain/'],
      // The sandbox's own pages show its payments.
      mayAsTypes: [...ports, 'src/acquirers/sandbox/sandbox-payment.ts', 'src/log.ts', 'src/metrics.ts'],
      packages: [/^(?!typebox$)/],
      // Loading it would be a quarter of a start: `schema.ts` builds the schemas that its types describe.
      typesOf: ['typebox'],
    },
  ],
  [
    'src/workers/',
    {
      may: ['src/workers/', 'src/domain/', 'src/http/rate-limit.ts', 'src/http/metrics-server.ts', 'src/metrics.ts'],
      mayAsTypes: ['src/http/health.ts', 'src/log.ts'],
      packages: [/./],
    },
  ],
  [
    'src/demo/',
    {
      may: ['src/demo/', 'src/usecases/', 'src/domain/', 'src/acquirers/sandbox/'].concat(
        // A draft of commits needs to know the tables. Made-up attempts fail with the messages of real ones.
        ['src/storage/table.ts', 'src/storage/tables.ts', 'src/webhooks/outbound-failure.ts'],
        // Made-up requests have the bodies of real ones.
        ['checkout-session-schema', 'payment-intents', 'refunds'].map((name) => `src/http/api/${name}.ts`),
      ),
      mayAsTypes: [...ports, 'src/storage/record-store.ts'],
    },
  ],
  [
    'src/cli/',
    {
      may: ['src/cli/', 'src/app.ts', 'src/config.ts', 'src/usecases/', 'src/domain/'].concat(
        // What a command uses without the app.
        ['src/storage/backups.ts', 'src/storage/open-store.ts', 'src/storage/private-files.ts', 'src/storage/store.ts'],
        [
          'src/acquirers/',
          'src/demo/',
          'src/mail/',
          'src/workers/',
          'src/clock.ts',
          'src/entropy.ts',
          'src/log.ts',
          'src/secret-key.ts',
          'src/version.ts',
          'src/visible-text.ts',
        ],
        // `listen` sends like the webhook dispatcher, so that a receiver sees no difference.
        ['src/webhooks/outbound.ts'],
      ),
      mayAsTypes: ['src/http/rate-limit.ts'],
      packages: [/./],
    },
  ],
  // How it is built.
  ['dashboard/build.ts', { may: ['dashboard/'], packages: ['vite', anyOfNode] }],
  ['dashboard/vite.config.ts', { may: [], packages: [anyOfNode], typesOf: ['vite'] }],
  // Runs in the browser. Of the service it knows only the types of its calls.
  [
    'dashboard/',
    {
      may: ['dashboard/'],
      mayAsTypes: ['src/http/dashboard/api-types.ts'],
      packages: ['react', /^react-dom/, /^@tanstack\/react-/, /^@radix-ui\/react-/, 'get-nonce'],
    },
  ],
  ['src/app.ts', { may: ['src/'], packages: [/./] }],
  ['src/main.ts', { may: ['src/cli/'] }],
  // The files outside the layers: settings, logs, metrics, entropy.
  [
    'src/',
    {
      may: ['src/domain/', 'src/log.ts', 'src/log-terminal.ts', 'src/log-writer.ts'].concat([
        'src/request-durations.ts',
        'src/visible-text.ts',
        'src/mail-metrics.ts',
        'src/payment-metrics.ts',
        'src/acquirer-metrics.ts',
        'src/storage/private-files.ts',
        'src/storage/server-urls.ts',
      ]),
      mayAsTypes: ['src/config.ts', 'src/storage/'],
      packages: [/./],
    },
  ],
];

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

function importsOf(file: string): Import[] {
  const found: Import[] = [];
  const statements = /^(?:import|export)\s+(type\s+)?(?:([^'";]*?)\s+from\s+)?'([^']+)'/gm;
  for (const [, typeKeyword, what = '', source = ''] of textOf(file).matchAll(statements)) {
    const listed = /\{([^}]*)\}/.exec(what)?.[1] ?? '';
    const specifiers = listed
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    const defaultImport = what.replace(/\{[^}]*\}/, '').replace(/[\s,]/g, '');
    const values = specifiers.filter((name) => !name.startsWith('type '));
    const typeOnly =
      typeKeyword !== undefined || (specifiers.length > 0 && values.length === 0 && defaultImport === '');
    const names = values.map((name) => name.replace(/ as .*/, ''));
    found.push({
      from: file,
      to: resolved(file, source),
      typeOnly,
      names: defaultImport === '' ? names : [...names, defaultImport],
    });
  }
  for (const [, source = ''] of textOf(file).matchAll(/\bimport\('([^']+)'\)/g)) {
    found.push({ from: file, to: resolved(file, source), typeOnly: false, names: ['*'] });
  }
  return found;
}

/** Removes comments on lines of their own. */
function withoutComments(text: string): string {
  return text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');
}

function resolved(file: string, source: string): string {
  return source.startsWith('.') ? relative(root, join(root, dirname(file), source)) : source;
}

function isAllowed({ from, to, typeOnly, names }: Import): boolean {
  const [, rule] = layers.find(([layer]) => from.startsWith(layer)) ?? [];
  assert.ok(rule !== undefined, `${from} is in no layer`);
  if (!/^(?:src|dashboard)\//.test(to)) {
    if (typeOnly && rule.typesOf?.includes(to) === true) return true;
    const packages = [...pureModules, ...(rule.packages ?? [])];
    return packages.some((allowed) => (typeof allowed === 'string' ? allowed === to : allowed.test(to)));
  }
  if (rule.may.some((path) => to.startsWith(path))) return true;
  if (!(rule.mayAsTypes ?? []).some((path) => to.startsWith(path))) return false;
  return typeOnly || (ports.includes(to) && names.every((name) => valuesOfPorts.includes(name)));
}

/** The SDK's types grow with the API. */
const isGenerated = (file: string): boolean => file.startsWith('sdk/src/api/');

const source = filesBelow('src');
const written = (file: string): boolean => !/\/(?:node_modules|dist)\//.test(file);
const sdk = filesBelow('sdk').filter(written);
const js = filesBelow('js').filter(written);
const dashboard = filesBelow('dashboard').filter((file) => !/^dashboard\/dist/.test(file));

describe('The architecture', () => {
  it('has only imports that its layers allow', () => {
    const all = [...source, ...dashboard].flatMap(importsOf);
    assert.ok(all.length > 150, 'the imports are found');
    const wrong = all.filter((one) => !isAllowed(one)).map(({ from, to }) => `${from} imports ${to}`);
    assert.deepEqual(wrong, []);
  });

  it('lets only the command line and tests import the app', () => {
    const importers = source.flatMap(importsOf).filter(({ to }) => to === 'src/app.ts');
    assert.deepEqual(
      importers.map(({ from }) => from).filter((from) => !from.startsWith('src/cli/')),
      [],
    );
  });

  it('allows outbound requests and DNS lookups only in the outbound files of webhooks, the door to acquirers and SMTP', () => {
    const outward =
      /^(?:undici|nodemailer(?!\/lib\/mail-composer$).*|node:dns(?:\/promises)?|node:https|node:http2|node:tls)$/;
    const wrong = source
      .flatMap(importsOf)
      .filter(({ to }) => outward.test(to))
      .filter(({ from }) => !/^src\/(?:webhooks\/outbound[^/]*|acquirers\/http-door|mail\/smtp)\.ts$/.test(from));
    assert.deepEqual(
      wrong.map(({ from, to }) => `${from} imports ${to}`),
      [],
    );
    // Commands that act for a merchant are API clients on the developer's machine, with a URL set by the developer. Only
    // they may import this file, and `start` does not: no incoming request reaches it.
    const client = 'src/cli/running-service.ts';
    const fetching = source.filter((file) => /\bfetch\(/.test(withoutComments(textOf(file))));
    // `doctor` reads the metrics of its own installation.
    assert.deepEqual(fetching.toSorted(), ['src/cli/doctor-proxies.ts', client]);
    const users = source.flatMap(importsOf).filter(({ to, typeOnly }) => to === client && !typeOnly);
    for (const { from } of users) assert.match(from, /^src\/cli\//);
    assert.ok(!users.some(({ from }) => from === 'src/cli/start.ts'));
    const importers = source.flatMap(importsOf).filter(({ to }) => to.startsWith('src/webhooks/outbound'));
    assert.ok(importers.length > 0, 'the importers are found');
  });

  it('loads the code that sends mail, and its library, only where mail is sent', () => {
    const importers = source
      .flatMap(importsOf)
      .filter(({ from, to, typeOnly }) => to.startsWith('src/mail/') && !from.startsWith('src/mail/') && !typeOnly);
    assert.ok(importers.length > 0, 'the importers are found');
    const loadedAtStart = importers.filter(({ names }) => !names.includes('*'));
    assert.deepEqual(
      loadedAtStart.map(({ from, to }) => `${from} imports ${to}`),
      [],
    );
  });

  it('loads the service and its large libraries only for the commands that use them', () => {
    // The entry point loads the commands only once it handles signals.
    const loaded = new Set(['src/main.ts', 'src/cli/run-command.ts']);
    for (const file of loaded) {
      if (!file.startsWith('src/')) continue;
      for (const { to, typeOnly, names } of importsOf(file)) if (!typeOnly && !names.includes('*')) loaded.add(to);
    }
    assert.ok(loaded.has('src/cli/start.ts'), 'the commands are found');
    const large = /^src\/(?:app\.ts|http\/(?!rate-limit)|demo\/fill-demo\.ts)|^(?:ajv|prom-client|undici|pg)\b/;
    assert.deepEqual(
      [...loaded].filter((name) => large.test(name)),
      [],
    );
  });

  it('keeps the SDK free of service code and packages', () => {
    const all = sdk.flatMap(importsOf);
    assert.ok(all.length > 0, 'the imports are found');
    const wrong = all.filter(({ to }) => !to.startsWith('sdk/') && !anyOfNode.test(to));
    assert.deepEqual(
      wrong.map(({ from, to }) => `${from} imports ${to}`),
      [],
    );
  });

  it('keeps the package for browsers free of service code and of packages other than React', () => {
    const all = js.flatMap(importsOf);
    assert.ok(all.length > 0, 'the imports are found');
    const wrong = all.filter(({ to }) => !to.startsWith('js/') && to !== 'react');
    assert.deepEqual(
      wrong.map(({ from, to }) => `${from} imports ${to}`),
      [],
    );
  });

  it('keeps the service free of the code of the dashboard, which runs in the browser', () => {
    const wrong = source.flatMap(importsOf).filter(({ to }) => to.startsWith('dashboard/'));
    assert.deepEqual(
      wrong.map(({ from, to }) => `${from} imports ${to}`),
      [],
    );
  });

  it('renders no markup from text in the dashboard', () => {
    for (const file of dashboard)
      assert.doesNotMatch(textOf(file), /dangerouslySetInnerHTML|\.innerHTML|insertAdjacentHTML|document\.write/, file);
  });

  it('keeps the service free of SDK code', () => {
    const wrong = source.flatMap(importsOf).filter(({ to }) => /^(?:sdk|js)\//.test(to));
    assert.deepEqual(
      wrong.map(({ from, to }) => `${from} imports ${to}`),
      [],
    );
  });

  it('uses no clock and no randomness in the domain, the use cases, storage and demo data', () => {
    const forbidden =
      /\bDate\.now\b|\bMath\.random\b|\bnew Date\(\s*\)|\bperformance\.now\b|\brandom(?:Bytes|UUID|Int)\b/;
    const checked = source.filter((file) => /^src\/(?:domain|usecases|storage|demo)\//.test(file));
    assert.ok(checked.length > 40);
    for (const file of checked) assert.doesNotMatch(textOf(file), forbidden, file);
  });

  it('is fully typed: no any, no non-null assertions, no suppressed checks', () => {
    const suppressed =
      /\bas any\b|: any[;,)=[\] ]*$|<any>|@ts-(?:ignore|expect-error|nocheck)|biome-ignore|[\w)\]]!(?:[.;,)\]]|$)/m;
    for (const file of [...source, ...sdk, ...js, ...dashboard])
      assert.doesNotMatch(withoutComments(textOf(file)), suppressed, file);
  });

  it('starts every file with its purpose, and limits its length', () => {
    for (const file of [...source, ...sdk, ...js, ...dashboard]) {
      const text = textOf(file);
      assert.match(text, /^\/\/ \S/, `${file} begins with a comment`);
      if (!isGenerated(file))
        assert.ok(text.split('\n').length <= maxLines, `${file} is longer than ${maxLines} lines`);
    }
  });

  it('has no barrel files and no catch-all files', () => {
    const catchAll = /(?:^|\/)(?:index|utils?|helpers?|common|misc|manager|service|base)\.tsx?$/;
    assert.deepEqual(
      [...source, ...dashboard].filter((file) => catchAll.test(file)),
      [],
    );
  });
});
