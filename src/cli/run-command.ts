// Finds and runs the command that was typed, and reports what went wrong.

import { ConfigError } from '../config.ts';
import { closestWord } from '../domain/closest-word.ts';
import { scrub } from '../log.ts';
import { version } from '../version.ts';
import { acquirerAdd, acquirerDisable, acquirerEnable, acquirerList, acquirerUpdate } from './acquirer.ts';
import { acquirerCheck } from './acquirer-check.ts';
import { realWorld } from './acquirer-connection.ts';
import { auditList } from './audit.ts';
import { backupCommand, restoreCommand } from './backup.ts';
import {
  type Command,
  type CommandArguments,
  CommandProblem,
  helpOf,
  Interrupted,
  interruptedCode,
  type Output,
  parseArguments,
  usageOf,
} from './command.ts';
import { customerErase } from './customer.ts';
import { demoFill } from './demo.ts';
import { disputesGet, disputesList } from './disputes.ts';
import { doctor } from './doctor.ts';
import { loadEnvFile } from './env-file.ts';
import { eventsGet, eventsList, eventsResend } from './events.ts';
import { explain } from './explain.ts';
import { keyCreate, keyList, keyRevoke, keyRoll } from './key.ts';
import { linksCreate, linksDeactivate, linksGet, linksList } from './links.ts';
import { listen } from './listen.ts';
import { mailList, mailResend, mailShow, mailTest } from './mail.ts';
import { merchantCreate, merchantList, merchantUpdate } from './merchant.ts';
import { migrateCommand } from './migrate.ts';
import { paymentsCancel, paymentsCapture, paymentsGet, paymentsList, paymentsRefund } from './payments.ts';
import { refundsGet, refundsList } from './refunds.ts';
import { secretKeyRotate } from './secret-key.ts';
import { sessionsCreate, sessionsExpire, sessionsGet, sessionsList } from './sessions.ts';
import { start } from './start.ts';
import { trigger } from './trigger.ts';
import { userCreate, userDisable, userEnable, userList, userResetPassword } from './user.ts';
import {
  webhooksCreate,
  webhooksDelete,
  webhooksGet,
  webhooksList,
  webhooksResendFailed,
  webhooksRotateSecret,
  webhooksTest,
  webhooksUpdate,
} from './webhooks.ts';

const groups: readonly (readonly [purpose: string, commands: readonly Command[]])[] = [
  ['Run the service', [start, migrateCommand, doctor, backupCommand, restoreCommand, secretKeyRotate, auditList]],
  ['Try it out', [demoFill]],
  ['Merchants and their keys', [merchantCreate, merchantList, merchantUpdate, keyCreate, keyList, keyRoll, keyRevoke]],
  ['Users of the dashboard', [userCreate, userList, userResetPassword, userDisable, userEnable]],
  [
    'Accounts at payment providers',
    [
      ...[acquirerAdd(realWorld), acquirerList(), acquirerCheck(realWorld)],
      ...[acquirerUpdate(realWorld), acquirerDisable, acquirerEnable],
    ],
  ],
  ['Customers', [customerErase]],
  ['Receipts by e-mail', [mailTest, mailList, mailShow, mailResend]],
  ['Develop your integration, with a running service and a test key', [listen, trigger]],
  ['Checkout sessions', [sessionsCreate, sessionsGet, sessionsList, sessionsExpire]],
  ['Payment links', [linksCreate, linksGet, linksList, linksDeactivate]],
  ['Payments', [paymentsGet, paymentsList, paymentsCapture, paymentsCancel, paymentsRefund]],
  ['Refunds', [refundsGet, refundsList]],
  ['Disputes', [disputesGet, disputesList]],
  ['Events', [eventsList, eventsGet, eventsResend]],
  [
    'Webhook endpoints',
    [
      ...[webhooksCreate, webhooksGet, webhooksList, webhooksUpdate, webhooksDelete],
      ...[webhooksTest, webhooksRotateSecret, webhooksResendFailed],
    ],
  ],
];

export const commands: readonly Command[] = groups.flatMap(([, ofGroup]) => ofGroup);

const overview = `Paydesk ${version}: hosted-checkout payments that you run yourself.

Usage: paydesk <command> [options]

${groups.map(([purpose, ofGroup]) => `${purpose}:\n${ofGroup.map(overviewLine).join('\n')}`).join('\n\n')}

Run paydesk <command> --help for details and examples. Settings come from the environment and from the file .env in
the working directory: see docs/operating.md.`;

function overviewLine({ name, summary }: Command): string {
  return `  ${name.padEnd(24)}${summary}`;
}

export async function runCommand(argv: readonly string[]): Promise<number> {
  const [first = '', ...others] = argv;
  if (first === 'help' && others.length > 0) return runCommand([...others, '--help']);
  if (first === '' || isHelp(first)) {
    console.log(overview);
    return first === '' ? 2 : 0;
  }
  if (first === '--version' || first === '-v') {
    console.log(version);
    return 0;
  }
  const json = argv.includes('--json');
  const command = commands.find(({ name }) => name === argv.slice(0, name.split(' ').length).join(' '));
  if (command === undefined && isHelp(argv[1])) {
    const help = groupHelp(first);
    if (help !== null) {
      console.log(help);
      return 0;
    }
  }
  if (command === undefined) return json ? failAsJson(unknownCommand(argv)) : fail(unknownCommand(argv));
  return runFound(command, argv.slice(command.name.split(' ').length));
}

async function runFound(command: Command, rest: readonly string[]): Promise<number> {
  let args: CommandArguments;
  try {
    args = parseArguments(command, rest);
  } catch (error) {
    const { message } = error as Error;
    const usage = usageOf(command);
    if (rest.includes('--json')) return failAsJson(message, { usage });
    return fail(`${message}\n\nUsage: ${usage}\nRun paydesk ${command.name} --help for details and examples.`);
  }
  if (args.values.help === true) {
    console.log(helpOf(command));
    return 0;
  }
  const json = args.values.json === true;
  const output: Output = {
    print: (line) => console.log(line),
    result: (value, line) => console.log(json ? JSON.stringify(value, null, 2) : line),
    line: (value, line) => console.log(json ? JSON.stringify(value) : line),
    progress: (line) => console.error(line),
    fail: (problem) => (json ? failAsJson(problem) : fail(problem)),
  };
  const envFile = loadEnvFile(process.env);
  try {
    if (envFile !== null && envFile.problems.length > 0 && command.reportsBrokenEnvFile !== true)
      throw new ConfigError(envFile.problems);
    return await command.run(args, output, envFile);
  } catch (error) {
    if (error instanceof CommandProblem) {
      const code = json ? failAsJson(error.message, error.details) : fail(error.message);
      return error instanceof Interrupted ? interruptedCode : code;
    }
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

const isHelp = (word: string | undefined): boolean => word === '--help' || word === '-h' || word === 'help';

const commandsOf = (group: string): Command[] => commands.filter(({ name }) => name.startsWith(`${group} `));

/** `paydesk payments --help`: the commands for payments. */
function groupHelp(group: string): string | null {
  const members = commandsOf(group);
  const [first] = members;
  if (first === undefined) return null;
  return `Usage: paydesk ${group} <command> [options]

${members.map(overviewLine).join('\n')}

Run paydesk ${first.name} --help for details and examples of one command.`;
}

function unknownCommand(argv: readonly string[]): string {
  const [first = '', second] = argv.filter((word) => !word.startsWith('-'));
  const group = commandsOf(first);
  if (group.length > 0) {
    const meant =
      second === undefined
        ? null
        : closestWord(
            `${first} ${second}`,
            group.map(({ name }) => name),
          );
    const available = group.map(({ name }) => `paydesk ${name}`).join(', ');
    if (second === undefined) return `specify a command: ${available}.`;
    const hint = meant === null ? '' : ` Did you mean paydesk ${meant}?`;
    return `unknown command "${first} ${second}".${hint} Available: ${available}.`;
  }
  const names = commands.flatMap(({ name }) => [name, name.split(' ')[0] ?? name]);
  const meant = closestWord(first, names);
  return `unknown command "${first}".${meant === null ? '' : ` Did you mean paydesk ${meant}?`} Run paydesk --help for a list.`;
}
