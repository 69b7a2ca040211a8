// Reads a password from standard input. It is never an argument: those end up in process lists and the shell's history.

import type { Readable } from 'node:stream';
import { CommandProblem } from './command.ts';

const maxBytes = 4_096;

/** A line end after it is not part of it. */
export async function readPassword(stdin: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk as Uint8Array | string);
    size += bytes.length;
    if (size > maxBytes) throw new CommandProblem('the password on standard input is too long');
    chunks.push(bytes);
  }
  const password = Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
  if (password === '') throw new CommandProblem('standard input is empty; it must be the password');
  return password;
}
