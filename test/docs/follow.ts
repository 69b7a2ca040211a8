// Follows a guide from its first line to its last, as a reader would: a fresh copy of the checkout, a real Paydesk, one
// shell. Placeholders such as pi_… are what a reader would put there: what was last seen of that kind.

import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { customerAt } from '../support/customer.ts';
import type { CleansUp } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { environment, freshFolder } from '../support/paydesk-process.ts';
import { type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';
import { until } from '../support/until.ts';
import { difference, saysAll } from './alike.ts';
import { type Block, checkout, noteOf, type Step, stepsOf } from './guide-steps.ts';
import { type Output, openShell, type Running } from './shell.ts';

/**
 * The ports that guides name: Paydesk and its metrics, another one and its, the shop and other receivers, PostgreSQL. Each
 * gets a free one instead.
 */
const ports = ['4020', '4021', '4030', '4031', '3000', '3030', '3040', '5432'];

/** `npm ci` would take away the packages that the tests run on; it was run before them, or they would not run. */
const replaced: readonly (readonly [string, string])[] = [['npm ci', 'true']];

const shellLanguages = ['sh'];
/** Beyond those that are run: shown as pictures, or held against a file by a test of their own. */
const looked = ['mermaid'];

/** One document, or several one after the other with the same Paydesk, as a reader goes through them in a day. */
export async function follow(test: CleansUp, ...documents: readonly string[]): Promise<void> {
  const steps = documents.flatMap(stepsOf);
  const folder = await copyOfCheckout(test);
  const given = await Promise.all(ports.map(async (port) => [port, String(await freePort())] as const));
  const portFor = new Map(given);
  const postgres = needsPostgres(steps) ? await startPostgresServer(test, portFor.get('5432') ?? '') : null;
  const shell = openShell(folder, shellEnvironment(folder, portFor, postgres));
  test.after(() => shell.end());
  const seen: string[] = [];
  const running: { readonly script: string; readonly process: Running }[] = [];
  let last: { readonly script: string; output: Output } = { script: '', output: { stdout: '', stderr: '' } };

  /** The reader's, typed where it is asked for. */
  const password = randomBytes(16).toString('hex');

  function filledIn(text: string): string {
    let filled = text.replaceAll(':password@', `:${password}@`);
    for (const [port, free] of portFor) filled = filled.replace(new RegExp(`\\b${port}\\b`, 'g'), free);
    for (const [words, instead] of replaced) filled = filled.replaceAll(words, instead);
    return filled.replace(/\b([a-z]+(?:_test|_live)?)_…/g, (_, prefix: string) => lastSeen(prefix));
  }

  function lastSeen(prefix: string): string {
    const all = [...running.map(({ process }) => process.output().stdout), ...seen].join('\n');
    const ids = [...all.matchAll(new RegExp(`\\b${prefix}_[0-9a-zA-Z]{10,}`, 'g'))];
    const id = ids.at(-1)?.[0];
    if (id === undefined) throw new Error(`nothing of the kind ${prefix}_… was seen before`);
    return id;
  }

  async function start(script: string): Promise<void> {
    const process = await shell.start(script);
    running.push({ script, process });
    await until(`\`${script}\` is ready`, () => readyWords.test(process.output().stdout), 20_000);
    last = { script: '', output: process.output() };
  }

  async function runScript(script: string, typed = ''): Promise<void> {
    last = { script, output: await shell.run(script, typed) };
    seen.push(last.output.stdout);
  }

  async function runBlock(block: Block): Promise<void> {
    const saveAs = noteOf(block, 'save as: ');
    if (!isFollowed(block) || looked.includes(block.language)) return;
    const file = noteOf(block, 'file: ');
    if (file !== undefined) return compareWithFile(block, file);
    if (saveAs !== undefined) {
      mkdirSync(dirname(join(folder, saveAs)), { recursive: true });
      writeFileSync(join(folder, saveAs), `${filledIn(block.text)}\n`);
    } else if (shellLanguages.includes(block.language)) {
      const script = filledIn(block.text);
      if (noteOf(block, 'stays running') !== undefined) return start(script);
      const fails = noteOf(block, 'fails') !== undefined;
      const asks = noteOf(block, 'asks for a password') !== undefined;
      await runScript(fails ? `! {\n${script}\n}` : script, asks ? `${password}\n${password}\n` : '');
    } else if (block.language === 'json')
      await compare(block, (said) => difference(JSON.parse(filledPorts(block.text)), said()));
    else if (block.language === 'text') await compare(block, (_, all) => saysAll(filledPorts(block.text), all()));
    else throw new Error(`a block of ${block.language || 'no language'} needs a comment that says what to do with it`);
  }

  const filledPorts = (text: string): string =>
    [...portFor].reduce((filled, [port, free]) => filled.replace(new RegExp(`\\b${port}\\b`, 'g'), free), text);

  /** A block may say that its answer comes only after a while: then the command before it is given again until it does. */
  async function compare(block: Block, differs: (json: () => unknown, text: () => string) => string | null) {
    const speaker = noteOf(block, 'said by ');
    const patience = Number.parseInt(noteOf(block, 'within ') ?? (speaker === undefined ? '0' : '10'), 10) * 1_000;
    const deadline = performance.now() + patience;
    const spoken = running.find(({ script }) => script === speaker)?.process;
    for (;;) {
      const output = spoken?.output() ?? last.output;
      const found = differs(
        () => parsed(output.stdout),
        () => `${output.stdout}\n${output.stderr}`,
      );
      if (found === null) return;
      if (performance.now() > deadline) throw new Error(found);
      await pause(100);
      if (spoken === undefined) await runScript(last.script);
    }
  }

  async function happen(what: string): Promise<void> {
    if (what === 'Ctrl-C') return running.pop()?.process.stop();
    const [, means = '', choice] = /^the customer pays with (\w+)(?:, and chooses (\w+))?$/.exec(what) ?? [];
    if (means === '') throw new Error(`nobody knows how this happens: ${what}`);
    const customer = customerAt(`http://localhost:${portFor.get('4020')}`);
    const page = /^\d+$/.test(means)
      ? await customer.payByCard(lastSeen('cs'), means)
      : await customer.payBy(lastSeen('cs'), means);
    if (choice === 'pass' || choice === 'fail' || choice === 'fail_later') await customer.choose(page, choice);
  }

  if (needsPaydesk(steps)) {
    await start('./bin/paydesk start');
    await shell.run(`export PAYDESK_API_KEY=${lastSeen('sk_test')}`);
  }
  for (const document of documents) {
    // Each begins in the checkout, as in a new terminal.
    await shell.run('cd "$HOME"');
    for (const step of stepsOf(document)) {
      try {
        if (step.kind === 'block') await runBlock(step);
        else await happen(step.what);
      } catch (error) {
        throw new Error(`${document}:${step.line}: ${(error as Error).message}`, { cause: error });
      }
    }
  }
}

/** The last line of a start of Paydesk; what the programs of the guides say. */
const readyWords = /Paydesk is ready|^listening|^Ready\. /im;

function compareWithFile(block: Block, file: string): void {
  const text = readFileSync(join(checkout, file), 'utf8').trimEnd();
  if (text !== block.text) throw new Error(`the block differs from ${file}: copy the file into the guide`);
}

/** The others are run by a test of their own, or not at all. */
function isFollowed(block: Block): boolean {
  return noteOf(block, 'not run: ') === undefined && noteOf(block, 'run by ') === undefined;
}

/** A guide that makes a database is about a server that runs, and its reader is the administrator. */
function needsPostgres(steps: readonly Step[]): boolean {
  return steps.some((step) => step.kind === 'block' && isFollowed(step) && step.text.includes('createdb '));
}

/** A guide that starts no Paydesk by itself is about one that runs. */
function needsPaydesk(steps: readonly Step[]): boolean {
  const blocks = steps.filter((step) => step.kind === 'block');
  const runs = blocks.some((block) => block.language === 'sh' && isFollowed(block));
  const starts = blocks.some((block) => noteOf(block, 'stays running') !== undefined && /\bstart\b/.test(block.text));
  return runs && !starts;
}

/** Nothing that a guide writes to: a link to somebody's `.env` would write theirs. */
const linked =
  'bin compose.yaml Dockerfile docs examples node_modules package-lock.json package.json packaging src tsconfig.json';

/** Its files by links, its data its own. */
async function copyOfCheckout(test: CleansUp): Promise<string> {
  const folder = await freshFolder(test);
  for (const name of linked.split(' ')) symlinkSync(join(checkout, name), join(folder, name));
  // Packing the SDK writes into its folder.
  cpSync(join(checkout, 'sdk'), join(folder, 'sdk'), { recursive: true, filter: (path) => !path.endsWith('/dist') });
  // An answer that is an error fails the command.
  writeFileSync(join(folder, '.curlrc'), 'silent\nshow-error\nfail-with-body\n');
  return folder;
}

function shellEnvironment(
  folder: string,
  portFor: ReadonlyMap<string, string>,
  postgres: PostgresServer | null,
): Record<string, string> {
  const programs = [
    dirname(realpathSync(join(checkout, 'node_modules/.bin/node'))),
    ...(postgres === null ? [] : [postgres.programs]),
  ];
  return environment({
    ...postgres?.administrator,
    HOME: folder,
    CURL_HOME: folder,
    PATH: [...programs, process.env.PATH].join(':'),
    PORT: portFor.get('4020') ?? '',
    PAYDESK_URL: `http://localhost:${portFor.get('4020')}`,
    PAYDESK_METRICS_ADDRESS: `127.0.0.1:${portFor.get('4021')}`,
    npm_config_update_notifier: 'false',
    npm_config_audit: 'false',
    npm_config_offline: 'true',
    TERM: 'dumb',
  });
}

function parsed(text: string): unknown {
  const begin = text.search(/[{[]/);
  try {
    return JSON.parse(begin === -1 ? text : text.slice(begin));
  } catch {
    throw new Error(`what came back is not JSON: ${text}`);
  }
}
