// What a command is, and how its words are read.

import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { closestWord } from '../domain/closest-word.ts';
import type { EnvFile } from './env-file.ts';

export interface Command {
  /** As typed: `merchant create`. */
  readonly name: string;
  readonly summary: string;
  /** What `--help` shows below the usage line. */
  readonly help: string;
  /** What stands behind the name in the usage line. */
  readonly usage: string;
  /** The one word behind its name that is no option, as the usage line calls it; without, it takes none. */
  readonly argument?: string;
  readonly options: ParseArgsOptionsConfig;
  /** Runs although `.env` is broken, and reports it. Without, the command stops there. */
  readonly reportsBrokenEnvFile?: true;
  /** Answers the exit code. `envFile` is in the environment already; null where there is none. */
  run(words: Words, output: Output, envFile: EnvFile | null): Promise<number>;
}

export interface Words {
  readonly values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  readonly positionals: readonly string[];
}

export interface Output {
  print(text: string): void;
  /** `--json`: for programs. Otherwise the text, for people. */
  result(value: unknown, text: string): void;
  /** One of many results as they come: with `--json`, each is a line of its own. */
  line(value: unknown, text: string): void;
  /** How far work that takes a while has come; not part of the result. */
  progress(text: string): void;
  /** What went wrong, and what to do; answers the exit code. */
  fail(text: string): number;
}

/** What a command cannot do, and what to do about it, in words. `details` are for programs. */
export class CommandProblem extends Error {
  override readonly name: string = 'CommandProblem';
  readonly details: Readonly<Record<string, unknown>>;
  constructor(message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.details = details;
  }
}

/**
 * Throws on anything that is not exactly what the command takes. Nothing is ignored: an unset shell variable that leaves
 * `--amount ""` must not mean "all of it", and a word that lost its quotes must not be dropped.
 */
export function readWords(command: Command, argv: readonly string[]): Words {
  const options: ParseArgsOptionsConfig = {
    ...command.options,
    help: { type: 'boolean', short: 'h' },
    json: { type: 'boolean' },
  };
  // Not strict: what is wrong is told in our own words, below.
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
      throw new CommandProblem(`--${token.name} is given twice: give it once`);
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
  return `there is no option ${given} here.${meant === null ? '' : ` Did you mean ${meant}?`}`;
}

function checkValue(
  { name, value, inlineValue }: { name: string; value: string | undefined; inlineValue: boolean | undefined },
  type: 'string' | 'boolean',
): void {
  if (type === 'boolean') {
    if (value !== undefined) throw new CommandProblem(`--${name} takes no value: write --${name}, or leave it out`);
    return;
  }
  if (value === undefined || (inlineValue !== true && /^--?[a-z]/i.test(value)))
    throw new CommandProblem(`--${name} needs a value`);
  if (value.trim() === '') throw new CommandProblem(`--${name} is empty: give it a value, or leave it out`);
}

function checkPositionals({ argument }: Command, positionals: readonly string[]): void {
  if (positionals.some((word) => word.trim() === ''))
    throw new CommandProblem(`an empty word was given${argument === undefined ? '' : ` for ${argument}`}`);
  const surplus = positionals.slice(argument === undefined ? 0 : 1);
  if (surplus.length === 0) return;
  const only = argument === undefined ? '' : `give one ${argument} at a time. `;
  throw new CommandProblem(
    `"${surplus.join(' ')}" is not expected here: ${only}Quote a value that has spaces, such as --name "Acme Coffee".`,
  );
}

export function text(words: Words, option: string): string | undefined {
  const value = words.values[option];
  return typeof value === 'string' ? value.trim() : undefined;
}

/** `a,b , c` is three words. */
export function list(words: Words, option: string): string[] | undefined {
  const given = text(words, option)
    ?.split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  if (given?.length === 0)
    throw new CommandProblem(`--${option} names nothing: give one or more, separated by commas, or leave it out`);
  return given;
}

/** Every one that was given of an option that may be given several times. */
export function texts(words: Words, option: string): string[] {
  const values = words.values[option];
  return Array.isArray(values) ? values.map((value) => String(value)) : [];
}

/** A whole number; `meaning` says what it counts. */
export function wholeNumber(words: Words, option: string, meaning: string): number | undefined {
  const given = text(words, option);
  if (given === undefined) return undefined;
  if (!/^\d{1,15}$/.test(given))
    throw new CommandProblem(`--${option} must be a whole number, not "${given}": ${meaning}`);
  return Number(given);
}

/** The id that a command is about, which stands behind its name. */
export function idMeant(words: Words, prefix: string, { command, list }: { command: string; list: string }): string {
  const [id] = words.positionals;
  const usage = `paydesk ${command} ${prefix}_…`;
  if (id === undefined) throw new CommandProblem(`say which one, by its id: ${usage} (paydesk ${list} shows them)`);
  if (!id.startsWith(`${prefix}_`))
    throw new CommandProblem(`"${id}" is not the id of one of these: ${usage} (paydesk ${list} shows them)`);
  return id;
}

export function helpOf(command: Command): string {
  return `Usage: paydesk ${command.name} ${command.usage}\n\n${command.help.trim()}\n\n  --json               print the result as JSON\n  -h, --help           show this`;
}
