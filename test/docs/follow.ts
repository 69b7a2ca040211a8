// Follows a guide from start to end like a reader: with a fresh copy of the checkout, a real Paydesk and one shell.
// Placeholders such as pi_… are replaced by the last id of that kind.

import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { customerAt, formOf, pathOf } from '../support/customer.ts';
import type { CleansUp } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { environment, freshFolder } from '../support/paydesk-process.ts';
import { type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';
import { until } from '../support/until.ts';
import { difference, missingLine } from './compare-output.ts';
import { type GuideProviders, startGuideProviders } from './guide-providers.ts';
import { type Block, checkout, noteOf, type Step, stepsOf } from './guide-steps.ts';
import { type Output, openShell, type Running } from './shell.ts';

/**
 * The ports in the guides: Paydesk and its metrics, a second Paydesk and its metrics, the shop and other receivers, and
 * PostgreSQL. Each is replaced by a free port.
 */
const ports = ['4020', '4021', '4030', '4031', '3000', '3030', '3040', '5432'];

/** `npm ci` would remove the packages that the running tests use. */
const replacedCommands: readonly (readonly [string, string])[] = [['npm ci', 'true']];

const shellLanguages = ['sh'];
/** Not run: shown as pictures. */
const ignoredLanguages = ['mermaid'];

/** Follows one document, or several in a row with the same Paydesk. */
export async function follow(test: CleansUp, ...documents: readonly string[]): Promise<void> {
  const steps = documents.flatMap(stepsOf);
  const folder = await copyOfCheckout(test);
  const given = await Promise.all(ports.map(async (port) => [port, String(await freePort())] as const));
  const portFor = new Map(given);
  const postgres = needsPostgres(steps) ? await startPostgresServer(test, portFor.get('5432') ?? '') : null;
  const providers = needsProviders(steps) ? await startGuideProviders(test) : null;
  const shell = openShell(folder, shellEnvironment(folder, portFor, postgres, providers));
  test.after(() => shell.end());
  const seen: string[] = [];
  const running: { readonly script: string; readonly process: Running }[] = [];
  let last: { readonly script: string; output: Output } = { script: '', output: { stdout: '', stderr: '' } };

  /** Typed at password prompts. */
  const password = randomBytes(16).toString('hex');

  function fillIn(text: string): string {
    let filled = text.replaceAll(':password@', `:${password}@`);
    for (const [inGuide, key] of providers?.keys ?? []) filled = filled.replaceAll(inGuide, key);
    for (const [port, free] of portFor) filled = filled.replace(new RegExp(`\\b${port}\\b`, 'g'), free);
    for (const [original, replacement] of replacedCommands) filled = filled.replaceAll(original, replacement);
    return filled.replace(/\b([a-z]+(?:_test|_live)?)_…/g, (_, prefix: string) => lastSeen(prefix));
  }

  function lastSeen(prefix: string): string {
    const all = [...running.map(({ process }) => process.output().stdout), ...seen].join('\n');
    const ids = [...all.matchAll(new RegExp(`\\b${prefix}_[0-9a-zA-Z]{10,}`, 'g'))];
    // Stripe's ids begin like ours.
    const id = ids.findLast(([one]) => !/_\dSim/.test(one))?.[0];
    if (id === undefined) throw new Error(`no ${prefix}_… has been printed before`);
    return id;
  }

  async function start(script: string): Promise<void> {
    const process = await shell.start(script);
    running.push({ script, process });
    await until(`\`${script}\` is ready`, () => readyPattern.test(process.output().stdout));
    last = { script: '', output: process.output() };
  }

  async function runScript(script: string, typed = ''): Promise<void> {
    last = { script, output: await shell.run(script, typed) };
    seen.push(last.output.stdout);
  }

  async function runBlock(block: Block): Promise<void> {
    const saveAs = noteOf(block, 'save as: ');
    if (!isFollowed(block) || ignoredLanguages.includes(block.language)) return;
    const file = noteOf(block, 'file: ');
    if (file !== undefined) return compareWithFile(block, file);
    if (saveAs !== undefined) {
      mkdirSync(dirname(join(folder, saveAs)), { recursive: true });
      writeFileSync(join(folder, saveAs), `${fillIn(block.text)}\n`);
    } else if (shellLanguages.includes(block.language)) {
      const script = fillIn(block.text);
      if (noteOf(block, 'stays running') !== undefined) return start(script);
      const fails = noteOf(block, 'fails') !== undefined;
      const asks = noteOf(block, 'asks for a password') !== undefined;
      await runScript(fails ? `! {\n${script}\n}` : script, asks ? `${password}\n${password}\n` : '');
    } else if (block.language === 'json')
      await compare(block, (json) => difference(JSON.parse(fillInPorts(block.text)), json()));
    else if (block.language === 'text') await compare(block, (_, text) => missingLine(fillInPorts(block.text), text()));
    else throw new Error(`a block of ${block.language || 'no language'} needs a comment that says what to do with it`);
  }

  const fillInPorts = (text: string): string =>
    [...portFor].reduce((filled, [port, free]) => filled.replace(new RegExp(`\\b${port}\\b`, 'g'), free), text);

  /** If a block says that its output may take a while, the command before it is repeated until it matches. */
  async function compare(block: Block, differs: (json: () => unknown, text: () => string) => string | null) {
    const source = noteOf(block, 'said by ');
    const patienceMs = Number.parseInt(noteOf(block, 'within ') ?? (source === undefined ? '0' : '10'), 10) * 1_000;
    const deadline = performance.now() + patienceMs;
    const process = running.find(({ script }) => source !== undefined && script === fillIn(source))?.process;
    for (;;) {
      const output = process?.output() ?? last.output;
      const found = differs(
        () => parsed(output.stdout),
        () => `${output.stdout}\n${output.stderr}`,
      );
      if (found === null) return;
      if (performance.now() > deadline) throw new Error(found);
      await pause(100);
      if (process === undefined) await runScript(last.script);
    }
  }

  async function payLink(card: string, amount: string | undefined): Promise<void> {
    const customer = customerAt(`http://localhost:${portFor.get('4020')}`);
    const form = formOf(await customer.get(`/pay/${lastSeen('plink')}`));
    const response = await customer.post(form.action, { ...form.fields, ...(amount === undefined ? {} : { amount }) });
    await customer.payByCard(pathOf(response).replace('/checkout/', ''), card);
  }

  /** An embedded session is opened with its client secret, which contains its id. */
  async function payEmbedded(card: string): Promise<void> {
    const id = lastSeen('cs');
    const [secret] = new RegExp(`pi_[0-9a-z]+_secret_${id.slice(3)}[0-9a-z]+`).exec(seen.join('\n')) ?? [];
    const customer = customerAt(`http://localhost:${portFor.get('4020')}`, { Authorization: `Bearer ${secret}` });
    await customer.payForm(formOf(await customer.get(`/embed/${id}/page`)), card);
  }

  async function payWithEmail(email: string, card: string): Promise<void> {
    const customer = customerAt(`http://localhost:${portFor.get('4020')}`);
    const form = formOf(await customer.open(lastSeen('cs')));
    await customer.payForm({ ...form, fields: { ...form.fields, email } }, card);
  }

  async function perform(what: string): Promise<void> {
    if (what === 'Ctrl-C') return running.pop()?.process.stop();
    if (providers !== null && (await performAtProvider(what, providers))) return;
    const [, linkCard, amount] = /^the customer pays the link with (\d+)(?:, entering (.+))?$/.exec(what) ?? [];
    if (linkCard !== undefined) return payLink(linkCard, amount);
    const [, email, emailCard = ''] = /^the customer enters (\S+@\S+), and pays with (\d+)$/.exec(what) ?? [];
    if (email !== undefined) return payWithEmail(email, emailCard);
    const [, embeddedCard] = /^the customer pays in the frame with (\d+)$/.exec(what) ?? [];
    if (embeddedCard !== undefined) return payEmbedded(embeddedCard);
    const [, method = '', choice] = /^the customer pays with (\w+)(?:, and chooses (\w+))?$/.exec(what) ?? [];
    if (method === '') throw new Error(`unknown step: ${what}`);
    const customer = customerAt(`http://localhost:${portFor.get('4020')}`);
    const page = await (/^\d+$/.test(method)
      ? customer.payByCard(lastSeen('cs'), method)
      : method.startsWith('pm_')
        ? customer.payByToken(lastSeen('cs'), method)
        : customer.payBy(lastSeen('cs'), method));
    if (choice === 'paid') return providers?.payAtMollie(checkoutAt(page.location ?? ''), choice);
    if (choice === 'pass' || choice === 'fail' || choice === 'fail_later') await customer.choose(page, choice);
  }

  /** What people do in a provider's dashboard, or on its pages. */
  async function performAtProvider(what: string, there: GuideProviders): Promise<boolean> {
    if (what === 'the operator registers the notification URL at Stripe') {
      there.registerAtStripe(`http://localhost:${portFor.get('4020')}/acquirers/${lastSeen('acq')}/notifications`);
    } else if (what === 'the operator pays at Mollie') {
      await there.payAtMollie(checkoutAt(running.at(-1)?.process.output().stdout ?? ''), 'authorized');
    } else if (what === 'the merchant refunds 250 at Stripe') {
      const [reference = ''] =
        /pi_3Sim\w+/.exec(seen.toReversed().find((text) => text.includes('pi_3Sim')) ?? '') ?? [];
      there.refundAtStripe(reference, 250);
    } else return false;
    return true;
  }

  if (needsPaydesk(steps)) {
    await start('./bin/paydesk start');
    await shell.run(`export PAYDESK_API_KEY=${lastSeen('sk_test')}`);
  }
  // In one terminal, so a guide must not leave the next one in another directory.
  await shell.run('cd "$HOME"');
  for (const document of documents) {
    for (const step of stepsOf(document)) {
      try {
        if (step.kind === 'block') await runBlock(step);
        else await perform(step.what);
      } catch (error) {
        throw new Error(`${document}:${step.line}: ${(error as Error).message}`, { cause: error });
      }
    }
  }
}

/** Printed by Paydesk and by the programs in the guides when they are ready, or wait for someone. */
const readyPattern = /Paydesk is ready|^listening|^Ready\. |open http/im;

/** The first address of Mollie's page in a text. */
function checkoutAt(text: string): string {
  const [url] = /http:\/\/127\.0\.0\.1:\d+\/checkout\/tr_\w+/.exec(text) ?? [];
  if (url === undefined) throw new Error(`no address of a payment at Mollie in: ${text}`);
  return url;
}

function compareWithFile(block: Block, file: string): void {
  const text = readFileSync(join(checkout, file), 'utf8').trimEnd();
  if (text !== block.text) throw new Error(`the block differs from ${file}: copy the file into the guide`);
}

/** The other blocks are run by a separate test, or not at all. */
function isFollowed(block: Block): boolean {
  return noteOf(block, 'not run: ') === undefined && noteOf(block, 'run by ') === undefined;
}

/** A guide that creates a database expects a running server with the reader as its administrator. */
function needsPostgres(steps: readonly Step[]): boolean {
  return steps.some((step) => step.kind === 'block' && isFollowed(step) && step.text.includes('createdb '));
}

/** A guide that connects an account expects the reader to have one. */
function needsProviders(steps: readonly Step[]): boolean {
  return steps.some((step) => step.kind === 'block' && isFollowed(step) && step.text.includes('acquirer add '));
}

/** A guide that does not start Paydesk expects a running one. */
function needsPaydesk(steps: readonly Step[]): boolean {
  const blocks = steps.filter((step) => step.kind === 'block');
  const runs = blocks.some((block) => block.language === 'sh' && isFollowed(block));
  const starts = blocks.some((block) => noteOf(block, 'stays running') !== undefined && /\bstart\b/.test(block.text));
  return runs && !starts;
}

/** Only files that no guide writes to: through a link, a guide would overwrite the developer's `.env`. */
const linkedFiles =
  'bin compose.yaml Dockerfile docs examples node_modules package-lock.json package.json packaging src tsconfig.json';

/** A folder with links to the files of the checkout and its own data. */
async function copyOfCheckout(test: CleansUp): Promise<string> {
  const folder = await freshFolder(test);
  for (const name of linkedFiles.split(' ')) symlinkSync(join(checkout, name), join(folder, name));
  // Packing the SDK writes into its folder.
  cpSync(join(checkout, 'sdk'), join(folder, 'sdk'), { recursive: true, filter: (path) => !path.endsWith('/dist') });
  // An error response makes the command fail.
  writeFileSync(join(folder, '.curlrc'), 'silent\nshow-error\nfail-with-body\n');
  return folder;
}

function shellEnvironment(
  folder: string,
  portFor: ReadonlyMap<string, string>,
  postgres: PostgresServer | null,
  providers: GuideProviders | null,
): Record<string, string> {
  const programs = [
    dirname(realpathSync(join(checkout, 'node_modules/.bin/node'))),
    ...(postgres === null ? [] : [postgres.programs]),
  ];
  return environment({
    ...postgres?.administrator,
    ...providers?.settings,
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
  const start = text.search(/[{[]/);
  try {
    return JSON.parse(start === -1 ? text : text.slice(start));
  } catch {
    throw new Error(`the output is not JSON: ${text}`);
  }
}
