// Computes password hashes in turns: one takes 128 MB and half a second, and anybody can send sign-ins.

import { type Refusal, refuseForNow } from '../domain/errors.ts';
import type { Random } from '../domain/ids.ts';
import { hashPassword, isPassword, type PasswordCost } from '../domain/password-hash.ts';

/** Null: too many are waiting already. */
type InTurn = <T>(work: () => Promise<T>) => Promise<T> | null;

export interface Passwords {
  hash(password: string): Promise<string | Refusal>;
  /** Takes equally long if there is no stored hash. */
  matches(password: string, stored: string | null): Promise<boolean | Refusal>;
}

export interface PasswordsOptions {
  readonly random: Random;
  readonly cost: PasswordCost;
  readonly inTurn?: InTurn;
}

const busySeconds = 5;

export function passwords({ random, cost, inTurn = (work) => work() }: PasswordsOptions): Passwords {
  const busy = (): Refusal =>
    refuseForNow(
      'sign_in_delayed',
      busySeconds,
      `Too many people are signing in at the moment. Try again in ${busySeconds} seconds.`,
    );
  return {
    hash: async (password) => (await inTurn(() => hashPassword(password, random, cost))) ?? busy(),
    matches: async (password, stored) => (await inTurn(() => isPassword(password, stored, cost))) ?? busy(),
  };
}
