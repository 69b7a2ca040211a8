// What a command is, and how its words are read.

import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

export interface Command {
  /** As typed: `merchant create`. */
  readonly name: string;
  readonly summary: string;
  /** What `--help` shows below the usage line. */
  readonly help: string;
  /** What stands behind the name in the usage line. */
  readonly usage: string;
  readonly options: ParseArgsOptionsConfig;
  /** Answers the exit code. */
  run(words: Words, output: Output): Promise<number>;
}

export interface Words {
  readonly values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  readonly positionals: readonly string[];
}

export interface Output {
  print(text: string): void;
  /** `--json`: for programs. Otherwise the text, for people. */
  result(value: unknown, text: string): void;
  /** How far work that takes a while has come; not part of the result. */
  progress(text: string): void;
  /** What went wrong, and what to do; answers the exit code. */
  fail(text: string): number;
}

export function readWords(command: Command, argv: readonly string[]): Words {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: { ...command.options, help: { type: 'boolean', short: 'h' }, json: { type: 'boolean' } },
    allowPositionals: true,
    strict: true,
  });
  return { values, positionals };
}

export function text(words: Words, option: string): string | undefined {
  const value = words.values[option];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** `a,b , c` is three words. */
export function list(words: Words, option: string): string[] | undefined {
  return text(words, option)
    ?.split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

export function helpOf(command: Command): string {
  return `Usage: paydesk ${command.name} ${command.usage}\n\n${command.help.trim()}\n\n  --json           print the result as JSON\n  -h, --help       show this`;
}
