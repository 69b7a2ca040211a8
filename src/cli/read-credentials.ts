// Reads the credentials of an acquirer account: as JSON from standard input, or field by field on a terminal, where
// secrets are not shown. They are never arguments: those end up in process lists and the shell's history.

import { createInterface } from 'node:readline';
import { type Readable, Writable } from 'node:stream';
import type { CredentialField, Credentials } from '../acquirers/provider.ts';
import { CommandProblem, Interrupted } from './command.ts';

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
  // Some editors begin a file with a byte order mark.
  const text = Buffer.concat(chunks)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trim();
  const expected = `the credentials as JSON: { ${fields.map(({ name }) => `"${name}": "…"`).join(', ')} }`;
  if (text === '') throw new CommandProblem(`standard input is empty. It must be ${expected}`);
  const problem = new CommandProblem(`standard input must be ${expected}`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's message quotes its input.
    throw problem;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw problem;
  const entries = Object.entries(value);
  if (!entries.every((entry): entry is [string, string] => typeof entry[1] === 'string')) throw problem;
  return Object.fromEntries(entries.map(([name, given]) => [name, given.trim()]));
}

/** One line for each field. Several lines can be pasted at once: a secret is not shown then either. */
function ask({ stdin, stderr }: CredentialInput, fields: readonly CredentialField[]): Promise<Credentials> {
  const credentials: Record<string, string> = {};
  const left = [...fields];
  // The terminal echoes through this stream: a secret goes nowhere.
  const echo = new Writable({
    write(chunk, _encoding, done) {
      if (left[0]?.isSecret === false) stderr.write(chunk);
      done();
    },
  });
  // Without a history, in which the next question would offer the secret again.
  const terminal = createInterface({ input: stdin, output: echo, terminal: true, historySize: 0 });
  function askNext(): void {
    const [field] = left;
    if (field === undefined) {
      terminal.close();
    } else if (field.isSecret) {
      stderr.write(`${field.name} (not shown): `);
    } else {
      terminal.setPrompt(`${field.name}: `);
      terminal.prompt();
    }
  }
  return new Promise((resolve, reject) => {
    terminal.on('line', (line) => {
      const field = left.shift();
      if (field === undefined) return;
      credentials[field.name] = line.trim();
      if (field.isSecret) stderr.write('\n');
      askNext();
    });
    terminal.on('SIGINT', () => terminal.close());
    terminal.on('close', () => {
      if (left.length === 0) return resolve(credentials);
      stderr.write('\n');
      reject(new Interrupted('interrupted; nothing was stored'));
    });
    askNext();
  });
}
