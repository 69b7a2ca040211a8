// Reads the credentials of an acquirer account: as JSON from standard input, or field by field on a terminal, where
// secrets are not shown. They are never arguments: those end up in process lists and the shell's history.

import { createInterface } from 'node:readline/promises';
import { type Readable, Writable } from 'node:stream';
import type { CredentialField, Credentials } from '../acquirers/provider.ts';
import { CommandProblem } from './command.ts';

export interface CredentialInput {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** Where the questions are shown. */
  readonly stderr: Writable;
}

const maxBytes = 65_536;

export function readCredentials(input: CredentialInput, fields: readonly CredentialField[]): Promise<Credentials> {
  return input.stdin.isTTY === true ? ask(input, fields) : readJson(input.stdin, fields);
}

async function readJson(stdin: Readable, fields: readonly CredentialField[]): Promise<Credentials> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk as Uint8Array | string);
    size += bytes.length;
    if (size > maxBytes) throw new CommandProblem(`the credentials are larger than ${maxBytes} bytes`);
    chunks.push(bytes);
  }
  const example = `{ ${fields.map(({ name }) => `"${name}": "…"`).join(', ')} }`;
  const problem = new CommandProblem(`standard input must be the credentials as JSON: ${example}`);
  let value: unknown;
  try {
    value = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    // The parser's message quotes its input.
    throw problem;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw problem;
  const entries = Object.entries(value);
  if (!entries.every((entry): entry is [string, string] => typeof entry[1] === 'string')) throw problem;
  return Object.fromEntries(entries.map(([name, text]) => [name, text.trim()]));
}

async function ask({ stdin, stderr }: CredentialInput, fields: readonly CredentialField[]): Promise<Credentials> {
  const credentials: Record<string, string> = {};
  for (const { name, isSecret } of fields) {
    stderr.write(`${name}${isSecret ? ' (not shown)' : ''}: `);
    // The terminal echoes through this stream: a secret goes nowhere.
    const echo = new Writable({
      write(chunk, _encoding, done) {
        if (!isSecret) stderr.write(chunk);
        done();
      },
    });
    const terminal = createInterface({ input: stdin, output: echo, terminal: true });
    try {
      credentials[name] = (await terminal.question('')).trim();
    } finally {
      terminal.close();
    }
    if (isSecret) stderr.write('\n');
  }
  return credentials;
}
