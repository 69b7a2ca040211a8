// The definition of a command, and the parsing of its arguments.

import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { closestWord } from '../domain/closest-word.ts';
import { scrub } from '../domain/scrub.ts';
import type { EnvFile } from './env-file.ts';

export interface Command {
  /** As typed: `merchant create`. */
  readonly name: string;
  readonly summary: string;
  /** What `--help` shows below the usage line. */
  readonly help: string;
  /** What follows the name in the usage line. */
  readonly usage: string;
  /** The name of its positional argument in the usage line; undefined if it takes none. */
  readonly argument?: string;
  readonly options: ParseArgsOptionsConfig;
  /** Runs even though `.env` is invalid, and reports it. Other commands stop there. */
  readonly reportsBrokenEnvFile?: true;
  /** Reads secrets from standard input: one that is passed as an argument gets a warning instead of being quoted. */
  readonly readsSecrets?: true;
  /** Returns the exit code. `envFile` is already in the environment; null if there is none. */
  run(args: CommandArguments, output: Output, envFile: EnvFile | null): Promise<number>;
}

export interface CommandArguments {
  readonly values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  readonly positionals: readonly string[];
}

export interface Output {
  print(text: string): void;
  /** Prints the value with `--json`, otherwise the text. */
  result(value: unknown, text: string): void;
  /** Prints one of many results as they arrive: with `--json`, one line each. */
  line(value: unknown, text: string): void;
  /** Reports the progress of longer work; not part of the result. */
  progress(text: string): void;
  /** Reports what went wrong and what to do; returns the exit code. */
  fail(text: string): number;
}

/** An expected failure of a command. The message says what to do; `details` are for programs. */
export class CommandProblem extends Error {
  override readonly name: string = 'CommandProblem';
  readonly details: Readonly<Record<string, unknown>>;
  constructor(message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.details = details;
  }
}

/** The user has interrupted the command. */
export class Interrupted extends CommandProblem {
  override readonly name = 'Interrupted';
}

/** As a shell reports a command that SIGINT ended. */
export const interruptedCode = 130;

/**
 * Throws on anything that the command does not expect. Nothing is ignored: an unset shell variable that leaves
 * `--amount ""` must not mean "the full amount", and a word that lost its quotes must not be dropped.
 */
export function parseArguments(command: Command, argv: readonly string[]): CommandArguments {
  if (command.readsSecrets === true && argv.some((word) => scrub(word) !== word)) {
    throw new CommandProblem(
      "an argument looks like a secret. Arguments end up in process lists and in the shell's history: replace this secret at the provider, and pass the new one on standard input",
    );
  }
  const options: ParseArgsOptionsConfig = {
    ...command.options,
    help: { type: 'boolean', short: 'h' },
    json: { type: 'boolean' },
  };
  // Not strict: problems are reported below, with advice.
  const { values, positionals, tokens } = parseArgs({
    args: [...argv],
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const given = new Set<string>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const option = options[token.name];
    if (option === undefined) throw new CommandProblem(unknownOption(token.rawName, Object.keys(options)));
    checkValue(token, option.type);
    if (given.has(token.name) && option.multiple !== true)
      throw new CommandProblem(`--${token.name} is set twice; set it once`);
    given.add(token.name);
  }
  checkPositionals(command, positionals);
  return { values, positionals };
}

function unknownOption(given: string, known: readonly string[]): string {
  const meant = closestWord(
    given,
    known.map((name) => `--${name}`),
  );
  return `unknown option ${given}.${meant === null ? '' : ` Did you mean ${meant}?`}`;
}

function checkValue(
  { name, value, inlineValue }: { name: string; value: string | undefined; inlineValue: boolean | undefined },
  type: 'string' | 'boolean',
): void {
  if (type === 'boolean') {
    if (value !== undefined) throw new CommandProblem(`--${name} does not take a value; use --${name}, or omit it`);
    return;
  }
  if (value === undefined || (inlineValue !== true && /^--?[a-z]/i.test(value)))
    throw new CommandProblem(`--${name} requires a value`);
  if (value.trim() === '') throw new CommandProblem(`--${name} is empty; set it to a value, or omit it`);
}

function checkPositionals({ argument }: Command, positionals: readonly string[]): void {
  if (positionals.some((word) => word.trim() === '')) throw new CommandProblem(`${argument ?? 'an argument'} is empty`);
  const surplus = positionals.slice(argument === undefined ? 0 : 1);
  if (surplus.length === 0) return;
  const only = argument === undefined ? '' : `Pass one ${argument} at a time. `;
  throw new CommandProblem(
    `unexpected argument "${surplus.join(' ')}". ${only}Quote values that contain spaces, such as --name "Acme Coffee".`,
  );
}

export function text(args: CommandArguments, option: string): string | undefined {
  const value = args.values[option];
  return typeof value === 'string' ? value.trim() : undefined;
}

/** The values in `a,b , c`. */
export function list(args: CommandArguments, option: string): string[] | undefined {
  const given = text(args, option)
    ?.split(',')
    .map((value) => value.trim());
  if (given?.every((value) => value === ''))
    throw new CommandProblem(`--${option} is empty; set it to one or more values separated by commas, or omit it`);
  if (given?.includes(''))
    throw new CommandProblem(
      `--${option} has nothing before or after a comma: "${given.join(',')}"; add the missing value or remove the comma`,
    );
  return given;
}

/** All values of an option that can be repeated. */
export function texts(args: CommandArguments, option: string): string[] {
  const values = args.values[option];
  return Array.isArray(values) ? values.map((value) => String(value)) : [];
}

/** The whole numbers that are allowed. */
export interface NumberRange {
  readonly from: number;
  /** Left out where the API has the limit. */
  readonly to?: number;
  /** Explains the number in the error message. */
  readonly meaning?: string;
}

export function wholeNumber(args: CommandArguments, option: string, range: NumberRange): number | undefined {
  const given = text(args, option);
  return given === undefined ? undefined : readWholeNumber(`--${option}`, given, range);
}

export function readWholeNumber(name: string, given: string, { from, to, meaning }: NumberRange): number {
  const value = Number(given);
  if (/^\d+$/.test(given) && value >= from && value <= (to ?? value)) return value;
  const allowed = to === undefined ? `of ${from} or more` : `from ${from} to ${to}`;
  const explanation = meaning === undefined ? '' : `; ${meaning}`;
  throw new CommandProblem(`${name} must be a whole number ${allowed}, not "${given}"${explanation}`);
}

/** The id that follows the name of a command. */
export function requiredId(
  args: CommandArguments,
  prefix: string,
  { command, list }: { command: string; list: string },
): string {
  const [id] = args.positionals;
  const usage = `paydesk ${command} ${prefix}_…`;
  if (id === undefined) throw new CommandProblem(`specify an id: ${usage} (see paydesk ${list})`);
  // It becomes part of a path: with anything else in it, that could be the path of another call.
  if (!new RegExp(`^${prefix}_\\w+$`).test(id))
    throw new CommandProblem(`"${id}" is not an id that starts with ${prefix}_: ${usage} (see paydesk ${list})`);
  return id;
}

export function usageOf({ name, usage }: Command): string {
  return `paydesk ${name} ${usage}`.trimEnd();
}

export function helpOf(command: Command): string {
  // Only blank lines are removed: the first line may be an indented example.
  const help = command.help.replace(/^\n+|\s+$/g, '');
  return `Usage: ${usageOf(command)}\n\n${help}\n\n  --json               print the result as JSON\n  -h, --help           show this help`;
}
