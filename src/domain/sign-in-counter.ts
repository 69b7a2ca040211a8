// How failed sign-ins are counted: for each account and for each address. After a few failures, each further one
// lengthens the wait before the next attempt. The wait has an upper bound, so that nobody can lock an account for good.
//
// An attempt counts as failed from the commit that begins it, and is taken back if it succeeds. So however many are sent at
// the same time, and to whichever process, no more of them are checked than the counters allow.

import type { SecretBox } from './secret-box.ts';

export interface SignInCounter {
  /** A keyed hash: the table says neither who failed to sign in nor from where. */
  readonly key: string;
  readonly version: number;
  readonly failures: number;
  readonly lastAt: number;
  /** From then on, it counts as zero. */
  readonly eraseAt: number;
}

export type CounterKind = 'account' | 'address';

/** What passwords or codes are guessed for. */
export interface GuessedAccount {
  /**
   * - `email`: whatever was entered as an address, whether or not somebody has it.
   * - `device`: a browser that has signed in before.
   * - `user`: the password of somebody who is signed in, by their id.
   * - `code`: the second factor, by the user's id.
   */
  readonly by: 'email' | 'device' | 'user' | 'code';
  readonly value: string;
}

/** So many failures cause no wait. */
const free: Readonly<Record<CounterKind, number>> = { account: 5, address: 20 };
const firstWaitMs = 10_000;
const longestWaitMs = 900_000;
const rememberedMs = 86_400_000;

/**
 * Strangers choose the value of `email`, so the word before it keeps them away from other counters. The word is never
 * `account`: earlier versions put that before any text, and their counters must not be taken for these.
 */
export function accountKey(box: SecretBox, { by, value }: GuessedAccount): string {
  return `account ${box.derive('sign-in counter', `${by} ${value}`)}`;
}

export function addressKey(box: SecretBox, address: string): string {
  return `address ${box.derive('sign-in counter', `address ${address}`)}`;
}

/** How long it takes until the next attempt is allowed; 0: it is allowed now. */
export function waitMs(counter: SignInCounter | null, kind: CounterKind, now: number): number {
  const failures = failuresOf(counter, now);
  if (counter === null || failures < free[kind]) return 0;
  const wait = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(failures - free[kind], 30));
  const left = counter.lastAt + wait - now;
  // A longer wait means that the time came from a clock that was ahead.
  return left > 0 && left <= longestWaitMs ? left : 0;
}

export function counted(counter: SignInCounter | null, key: string, now: number): SignInCounter {
  const failures = failuresOf(counter, now) + 1;
  return { key, version: counter?.version ?? 0, failures, lastAt: now, eraseAt: now + rememberedMs };
}

/** The attempt does not count. */
export function takenBack(counter: SignInCounter): SignInCounter {
  return { ...counter, failures: Math.max(0, counter.failures - 1) };
}

/** Whoever knows the password is not guessing. */
export function cleared(counter: SignInCounter): SignInCounter {
  return { ...counter, failures: 0 };
}

function failuresOf(counter: SignInCounter | null, now: number): number {
  return counter === null || counter.eraseAt <= now ? 0 : counter.failures;
}
