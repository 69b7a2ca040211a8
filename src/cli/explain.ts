// Errors that are for the operator to mend: one message that says what to do, where a stack would only frighten.

import { ConfigError } from '../config.ts';
import { SecretKeyProblem } from '../secret-key.ts';
import { StorageUnavailable } from '../storage/store.ts';

const notAnAddress = 'Set HOST to an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them.';

/** By the code of the system's error. Those of listening come from HOST, PORT and PAYDESK_METRICS_ADDRESS. */
const advice: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Set PORT or HOST to a free address.',
  EADDRNOTAVAIL: notAnAddress,
  EAFNOSUPPORT: notAnAddress,
  ENOTFOUND: notAnAddress,
  EAI_AGAIN: notAnAddress,
  ENOSPC: 'The disk is full: free some space, and run this again.',
  EDQUOT: 'The quota of the disk is used up: free some space, and run this again.',
  EROFS: 'Make the place writable, or set DATABASE_URL to a file elsewhere.',
  EACCES: 'Give this user the right to do that.',
  EPERM: 'Give this user the right to do that.',
  ENOTDIR: 'Is DATABASE_URL right?',
  EISDIR: 'Is DATABASE_URL right?',
};

/** Null: nobody expected it, and the stack is of use. */
export function explain(error: unknown): string | null {
  if (error instanceof ConfigError || error instanceof StorageUnavailable || error instanceof SecretKeyProblem)
    return error.message;
  if (!(error instanceof Error)) return null;
  const { code = '', syscall, message }: NodeJS.ErrnoException = error;
  if (code === 'EACCES' && syscall === 'listen')
    return `${message}. Ports below 1024 need rights that this user has not: set PORT to another.`;
  const mending = syscall === undefined ? undefined : advice[code];
  return mending === undefined ? null : `${message}. ${mending}`;
}
