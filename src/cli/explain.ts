// Errors that the operator can fix: one message that says what to do, instead of a stack trace.

import { ConfigError } from '../config.ts';
import { SecretKeyProblem } from '../secret-key.ts';
import { StorageUnavailable } from '../storage/store.ts';

const notAnAddress = 'Set HOST to an address of this machine, such as 127.0.0.1, or to 0.0.0.0 for all of them.';

/** By the code of the system error. Errors of listening are caused by HOST, PORT and PAYDESK_METRICS_ADDRESS. */
const advice: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Set PORT or HOST to a free address.',
  EADDRNOTAVAIL: notAnAddress,
  EAFNOSUPPORT: notAnAddress,
  ENOTFOUND: notAnAddress,
  EAI_AGAIN: notAnAddress,
  ENOSPC: 'The disk is full. Free some space, then try again.',
  EDQUOT: 'The disk quota is exceeded. Free some space, then try again.',
  EROFS: 'Make the file system writable, or set DATABASE_URL to a file elsewhere.',
  EACCES: 'Give this user the necessary permissions.',
  EPERM: 'Give this user the necessary permissions.',
  ENOTDIR: 'Check DATABASE_URL.',
  EISDIR: 'Check DATABASE_URL.',
};

/** Null for an unexpected error, whose stack trace is useful. */
export function explain(error: unknown): string | null {
  if (error instanceof ConfigError || error instanceof StorageUnavailable || error instanceof SecretKeyProblem)
    return error.message;
  if (!(error instanceof Error)) return null;
  const { code = '', syscall, message }: NodeJS.ErrnoException = error;
  if (code === 'EACCES' && syscall === 'listen')
    return `${message}. Ports below 1024 require privileges that this user does not have. Set PORT to a higher port.`;
  const remedy = syscall === undefined ? undefined : advice[code];
  return remedy === undefined ? null : `${message}. ${remedy}`;
}
