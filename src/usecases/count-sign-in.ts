// Counts an attempt to sign in, or makes it wait. See domain/sign-in-counter.ts.

import { isRefusal, type Refusal, refuse, refuseForNow } from '../domain/errors.ts';
import type { Moment } from '../domain/moment.ts';
import type { SecretBox } from '../domain/secret-box.ts';
import {
  accountKey,
  addressKey,
  type CounterKind,
  cleared,
  counted,
  type GuessedAccount,
  type SignInCounter,
  takenBack,
  waitMs,
} from '../domain/sign-in-counter.ts';
import { turns } from '../domain/turns.ts';
import type { Store } from '../storage/store.ts';
import { decideAndCommit } from './decide-and-commit.ts';

export interface SignInCounting {
  readonly store: Store;
  readonly moment: () => Moment;
  readonly secretBox: SecretBox;
}

/** Whose attempt it is. */
export interface Attempt {
  readonly account: GuessedAccount;
  /** The client's network. */
  readonly address: string;
}

const inTurn = turns();

/** Counts the attempt as failed, unless it has to wait. */
export function countSignIn(deps: SignInCounting, attempt: Attempt): Promise<Refusal | null> {
  const { store, moment } = deps;
  const keys = keysOf(deps, attempt);
  const [[, account], [, address]] = keys;
  async function count(): Promise<Refusal | null> {
    const outcome = await decideAndCommit(store, async () => {
      const { now } = moment();
      const found = await countersOf(deps, keys);
      const wait = Math.max(...found.map(({ kind, counter }) => waitMs(counter, kind, now)));
      if (wait > 0) return delayed(wait);
      const signInCounters = found.map(({ key, counter }) => counted(counter, key, now));
      return { changes: { signInCounters }, result: null };
    });
    return isRefusal(outcome) ? outcome : null;
  }
  // They would all conflict on the same row.
  return inTurn(address, () => inTurn(account, count));
}

/** The attempt succeeded. Other accounts that were tried from the same address still count there. */
export function signInSucceeded(deps: SignInCounting, attempt: Attempt): Promise<void> {
  return change(deps, attempt, (counter, kind) => (kind === 'account' ? cleared(counter) : takenBack(counter)));
}

/** The attempt was not made after all. */
export function uncountSignIn(deps: SignInCounting, attempt: Attempt): Promise<void> {
  return change(deps, attempt, takenBack);
}

async function change(
  deps: SignInCounting,
  attempt: Attempt,
  changed: (counter: SignInCounter, kind: CounterKind) => SignInCounter,
): Promise<void> {
  const keys = keysOf(deps, attempt);
  await decideAndCommit(deps.store, async () => {
    const found = await countersOf(deps, keys);
    const signInCounters = found.flatMap(({ kind, counter }) => (counter === null ? [] : [changed(counter, kind)]));
    return { changes: { signInCounters }, result: null };
  });
}

type Keys = readonly [account: readonly [CounterKind, string], address: readonly [CounterKind, string]];

function keysOf({ secretBox }: SignInCounting, { account, address }: Attempt): Keys {
  return [
    ['account', accountKey(secretBox, account)],
    ['address', addressKey(secretBox, address)],
  ];
}

function countersOf({ store }: SignInCounting, keys: Keys) {
  return Promise.all(
    keys.map(async ([kind, key]) => ({ kind, key, counter: await store.findBy('signInCounters', 'key', key) })),
  );
}

function delayed(ms: number): Refusal {
  const seconds = Math.ceil(ms / 1000);
  return refuseForNow('sign_in_delayed', seconds, `Too many failed attempts. Try again in ${inWords(seconds)}.`);
}

function inWords(seconds: number): string {
  if (seconds < 120) return `${seconds} second${seconds === 1 ? '' : 's'}`;
  return `${Math.ceil(seconds / 60)} minutes`;
}

export const signInFailed = refuse('sign_in_failed', 'The email or password is wrong.');
