// Finds the command that was typed, and reports what went wrong in words.

import { scrub } from '../log.ts';
import { version } from '../version.ts';
import { auditList } from './audit.ts';
import { type Command, CommandProblem, helpOf, type Output, readWords, type Words } from './command.ts';
import { doctor } from './doctor.ts';
import { eventsGet, eventsList, eventsResend } from './events.ts';
import { explain } from './explain.ts';
import { keyCreate, keyList, keyRevoke } from './key.ts';
import { listen } from './listen.ts';
import { merchantCreate, merchantList, merchantUpdate } from './merchant.ts';
import { migrateCommand } from './migrate.ts';
import { paymentsCancel, paymentsCapture, paymentsGet, paymentsList, paymentsRefund } from './payments.ts';
import { secretKeyRotate } from './secret-key.ts';
import { sessionsCreate, sessionsExpire, sessionsGet, sessionsList } from './sessions.ts';
import { start } from './start.ts';
import { trigger } from './trigger.ts';

const groups: readonly (readonly [purpose: string, commands: readonly Command[]])[] = [
  ['Run the service', [start, migrateCommand, doctor, secretKeyRotate, auditList]],
  ['Merchants and their keys', [merchantCreate, merchantList, merchantUpdate, keyCreate, keyList, keyRevoke]],
  ['Work on your integration, with a running service and a test key', [listen, trigger]],
  ['Checkout sessions', [sessionsCreate, sessionsGet, sessionsList, sessionsExpire]],
  ['Payments', [paymentsGet, paymentsList, paymentsCapture, paymentsCancel, paymentsRefund]],
  ['Events', [eventsList, eventsGet, eventsResend]],
];

export const commands: readonly Command[] = groups.flatMap(([, ofGroup]) => ofGroup);

const overview = `Paydesk ${version}: hosted-checkout payments that you run yourself.

Usage: paydesk <command> [options]

${groups.map(([purpose, ofGroup]) => `${purpose}:\n${ofGroup.map(overviewLine).join('\n')}`).join('\n\n')}

paydesk <command> --help tells more of one, with examples. Settings come from the environment: see docs/operating.md.`;

function overviewLine({ name, summary }: Command): string {
  return `  ${name.padEnd(19)}${summary}`;
}

export async function runCommand(argv: readonly string[]): Promise<number> {
  const [first = ''] = argv;
  if (first === '' || first === 'help' || first === '--help' || first === '-h') {
    console.log(overview);
    return first === '' ? 2 : 0;
  }
  if (first === '--version' || first === '-v') {
    console.log(version);
    return 0;
  }
  const json = argv.includes('--json');
  const command = commands.find(({ name }) => name === argv.slice(0, name.split(' ').length).join(' '));
  if (command === undefined) return json ? failAsJson(unknownCommand(argv)) : fail(unknownCommand(argv));
  return runFound(command, argv.slice(command.name.split(' ').length));
}

async function runFound(command: Command, rest: readonly string[]): Promise<number> {
  let words: Words;
  try {
    words = readWords(command, rest);
  } catch (error) {
    const { message } = error as Error;
    const usage = `paydesk ${command.name} ${command.usage}`.trimEnd();
    return rest.includes('--json') ? failAsJson(message, { usage }) : fail(`${message}\n\n${helpOf(command)}`);
  }
  if (words.values.help === true) {
    console.log(helpOf(command));
    return 0;
  }
  const json = words.values.json === true;
  const output: Output = {
    print: (line) => console.log(line),
    result: (value, line) => console.log(json ? JSON.stringify(value, null, 2) : line),
    line: (value, line) => console.log(json ? JSON.stringify(value) : line),
    progress: (line) => console.error(line),
    fail: (problem) => (json ? failAsJson(problem) : fail(problem)),
  };
  try {
    return await command.run(words, output);
  } catch (error) {
    if (error instanceof CommandProblem) return json ? failAsJson(error.message, error.details) : fail(error.message);
    const explained = explain(error);
    if (explained !== null) return output.fail(explained);
    return output.fail(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}

function fail(problem: string): number {
  console.error(`paydesk: ${scrub(problem)}`);
  return 1;
}

function failAsJson(problem: string, details: CommandProblem['details'] = {}): number {
  console.error(JSON.stringify({ error: scrub(problem), ...details }));
  return 1;
}

function unknownCommand(argv: readonly string[]): string {
  const group = commands.filter(({ name }) => name.startsWith(`${argv[0]} `)).map(({ name }) => `paydesk ${name}`);
  if (group.length > 0) return `say which: ${group.join(', ')}`;
  return `there is no command "${argv[0]}". paydesk --help lists them all.`;
}
