// Switches a user's second factor on and off. It is on once a code of the app has been entered, so that a failed set-up
// locks nobody out.

import type { AuditAction } from '../domain/audit-entry.ts';
import { isRefusal, type Refusal, refuse } from '../domain/errors.ts';
import { confirmed, withNewSecret, withoutSecondFactor, withRecoveryCodes } from '../domain/second-factor.ts';
import { otpauthUri } from '../domain/totp.ts';
import { hasSecondFactor, type User } from '../domain/user.ts';
import { countSignIn, signInSucceeded } from './count-sign-in.ts';
import { decideAndCommit } from './decide-and-commit.ts';
import { codeAttempt, membershipsOf, type SignInDeps, userEntries, wrongCode } from './sign-in.ts';

const isOn = refuse('second_factor_on', 'The second factor is on already. Switch it off first, to use another app.');
const isOff = refuse('second_factor_off', 'The second factor is off.');
const userGone = refuse('sign_in_required', 'Sign in again.');

export interface AppSetUp {
  readonly secret: string;
  readonly uri: string;
}

export async function beginSecondFactor(deps: SignInDeps, userId: string, ip: string): Promise<AppSetUp | Refusal> {
  return change(deps, userId, ip, async (before) => {
    if (hasSecondFactor(before)) return isOn;
    const { user, secret } = withNewSecret(before, deps.secretBox, deps.random);
    return { user, action: null, result: { secret, uri: otpauthUri(secret, user.email) } };
  });
}

/** Returns the recovery codes, which are shown once. */
export async function confirmSecondFactor(
  deps: SignInDeps,
  userId: string,
  code: string,
  ip: string,
): Promise<readonly string[] | Refusal> {
  const { secretBox, random, moment } = deps;
  const attempt = codeAttempt(deps, userId, ip);
  const delayed = await countSignIn(deps, attempt);
  if (delayed !== null) return delayed;
  const codes = await change(deps, userId, ip, async (before) => {
    if (hasSecondFactor(before)) return isOn;
    const done = confirmed(before, code.replace(/\s/g, ''), secretBox, moment().now, random);
    if (done === null) return wrongCode;
    return { user: done.user, action: 'user.second_factor_enabled', result: done.codes };
  });
  if (!isRefusal(codes)) await signInSucceeded(deps, attempt);
  return codes;
}

export async function endSecondFactor(deps: SignInDeps, userId: string, ip: string): Promise<Refusal | null> {
  return change(deps, userId, ip, async (before) => {
    if (!hasSecondFactor(before)) return isOff;
    return { user: withoutSecondFactor(before), action: 'user.second_factor_disabled', result: null };
  });
}

/** The earlier codes no longer work. */
export async function renewRecoveryCodes(
  deps: SignInDeps,
  userId: string,
  ip: string,
): Promise<readonly string[] | Refusal> {
  return change(deps, userId, ip, async (before) => {
    if (!hasSecondFactor(before)) return isOff;
    const { user, codes } = withRecoveryCodes(before, deps.random);
    return { user, action: 'user.recovery_codes_created', result: codes };
  });
}

interface Changed<T> {
  readonly user: User;
  readonly action: AuditAction | null;
  readonly result: T;
}

async function change<T>(
  { store, moment }: SignInDeps,
  userId: string,
  ip: string,
  decide: (user: User) => Promise<Changed<T> | Refusal>,
): Promise<T | Refusal> {
  const outcome = await decideAndCommit(store, async () => {
    const before = await store.findBy('users', 'id', userId);
    const changed = before === null ? userGone : await decide(before);
    if (isRefusal(changed)) return changed;
    const { user, action, result } = changed;
    const memberships = action === null ? [] : await membershipsOf(store, userId);
    const auditEntries = action === null ? [] : userEntries(moment(), user, memberships, { action, ip });
    return { changes: { users: [user], auditEntries }, result };
  });
  if ('done' in outcome) return outcome.done;
  return isRefusal(outcome) ? outcome : userGone;
}
