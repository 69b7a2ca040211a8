// Computes password hashes in turns: one takes 128 MB and half a second, and anybody can send sign-ins.

import { type Refusal, refuseForNow } from '../domain/errors.ts';
import type { Random } from '../domain/ids.ts';
import { hashPassword, isPassword } from '../domain/password-hash.ts';

/** Null: too many are waiting already. */
type InTurn = <T>(work: () => Promise<T>) => Promise<T> | null;

export interface Passwords {
  hash(password: string): Promise<string | Refusal>;
  /** Takes equally long if there is no stored hash. */
  matches(password: string, stored: string | null): Promise<boolean | Refusal>;
}

const busySeconds = 5;

export function passwords(random: Random, inTurn: InTurn = (work) => work()): Passwords {
  const busy = (): Refusal =>
    refuseForNow(
      'sign_in_delayed',
      busySeconds,
      `Too many people are signing in at the moment. Try again in ${busySeconds} seconds.`,
    );
  return {
    hash: async (password) => (await inTurn(() => hashPassword(password, random))) ?? busy(),
    matches: async (password, stored) => (await inTurn(() => isPassword(password, stored))) ?? busy(),
  };
}
