// Signs a user in: checks the password, then the second factor if there is one, and begins a session. An unknown address
// and a wrong password get the same answer, and take equally long.

import { type AuditAction, type AuditDetails, type AuditEntry, auditEntry, userActor } from '../domain/audit-entry.ts';
import { type DashboardSession, newSession, type SessionOrigin } from '../domain/dashboard-session.ts';
import { isRefusal, type Refusal, refuse } from '../domain/errors.ts';
import type { Random } from '../domain/ids.ts';
import { deviceOf } from '../domain/known-device.ts';
import type { Moment } from '../domain/moment.ts';
import { afterCode } from '../domain/second-factor.ts';
import type { SecretBox } from '../domain/secret-box.ts';
import type { GuessedAccount } from '../domain/sign-in-counter.ts';
import { hasSecondFactor, isMember, type Membership, maxMembers, type User, userEmail } from '../domain/user.ts';
import type { Store } from '../storage/store.ts';
import {
  type Attempt,
  countSignIn,
  type SignInCounting,
  signInFailed,
  signInSucceeded,
  uncountSignIn,
} from './count-sign-in.ts';
import { decideAndCommit } from './decide-and-commit.ts';
import type { Passwords } from './passwords.ts';
import type { SignInReports } from './report-sign-ins.ts';

export interface SignInDeps extends SignInCounting {
  readonly random: Random;
  readonly passwords: Passwords;
  /** The network that an address is counted by. */
  readonly networkOf: (ip: string) => string;
  readonly signIns: SignInReports;
}

export interface BegunSession {
  readonly user: User;
  readonly session: DashboardSession;
  /** For the cookie; not stored. */
  readonly token: string;
}

/** The password was right, and a code is needed besides. */
export interface Challenge {
  readonly challenge: string;
}

export interface PasswordAttempt {
  readonly email: string;
  readonly password: string;
  readonly ip: string;
  /** The token of a browser that has signed in before; empty: none. */
  readonly device?: string;
  /** Who is signed in already, and is asked again. */
  readonly userId?: string;
}

/** The user whose password that is. Counts the attempt. */
export async function checkPassword(deps: SignInDeps, given: PasswordAttempt): Promise<User | Refusal> {
  const { email, password, ip, userId } = given;
  const known = userEmail(email);
  const attempt = { account: guessedAccount(deps, given), address: deps.networkOf(ip) };
  const delayed = await countedSignIn(deps, attempt);
  if (delayed !== null) return delayed;
  const user = known === null ? null : await deps.store.findBy('users', 'email', known);
  const matches = await deps.passwords.matches(password, user?.passwordHash ?? null);
  if (isRefusal(matches)) {
    deps.signIns.count('busy');
    await uncountSignIn(deps, attempt);
    return matches;
  }
  if (!matches || user === null || user.disabledAt !== null) {
    const outcome = matches ? 'disabled' : 'password_wrong';
    deps.signIns.failed({ outcome, user, ip, isSignedIn: userId !== undefined });
    return signInFailed;
  }
  await signInSucceeded(deps, attempt);
  return user;
}

/**
 * Strangers' attempts count by e-mail address, so they delay neither browsers that have signed in before nor users who
 * are signed in. Those count by user, not by session: a session can get a new id without the password.
 */
function guessedAccount(
  { secretBox }: SignInDeps,
  { email: given, device = '', userId }: PasswordAttempt,
): GuessedAccount {
  if (userId !== undefined) return { by: 'user', value: userId };
  const email = userEmail(given) ?? given;
  const known = deviceOf(secretBox, email, device);
  return known === null ? { by: 'email', value: email } : { by: 'device', value: known };
}

/** The password is right: begins a session, or asks for a code. */
export async function afterPassword(
  deps: SignInDeps,
  user: User,
  origin: SessionOrigin,
): Promise<BegunSession | Challenge | Refusal> {
  if (!hasSecondFactor(user)) return beginSession(deps, user, origin);
  return { challenge: newChallenge(deps.secretBox, user, deps.moment().now) };
}

/** Begins a session if the code is right. */
export async function checkCode(
  deps: SignInDeps,
  { challenge, code }: { readonly challenge: string; readonly code: string },
  origin: SessionOrigin,
): Promise<BegunSession | Refusal> {
  const asked = openChallenge(deps.secretBox, challenge, deps.moment().now);
  if (asked === null) return signInAgain;
  const attempt: Attempt = codeAttempt(deps, asked.userId, origin.ip);
  const delayed = await countedSignIn(deps, attempt);
  if (delayed !== null) return delayed;
  const begun = await beginSession(deps, { id: asked.userId, epoch: asked.epoch }, origin, code);
  if (!isRefusal(begun)) await signInSucceeded(deps, attempt);
  else if (begun === wrongCode) {
    const user = await deps.store.findBy('users', 'id', asked.userId);
    deps.signIns.failed({ outcome: 'code_wrong', user, ip: origin.ip });
  }
  return begun;
}

async function countedSignIn(deps: SignInDeps, attempt: Attempt): Promise<Refusal | null> {
  const delayed = await countSignIn(deps, attempt);
  if (delayed !== null) deps.signIns.count('delayed');
  return delayed;
}

/** Guesses of codes count like those of passwords, but by themselves. */
export function codeAttempt({ networkOf }: SignInDeps, userId: string, ip: string): Attempt {
  return { account: { by: 'code', value: userId }, address: networkOf(ip) };
}

/** The password of that epoch has been checked. `code`: to be checked and used up in the same commit. */
export async function beginSession(
  { store, moment, random, secretBox, signIns }: SignInDeps,
  { id, epoch }: Pick<User, 'id' | 'epoch'>,
  origin: SessionOrigin,
  code: string | null = null,
): Promise<BegunSession | Refusal> {
  const outcome = await decideAndCommit(store, async () => {
    const user = await store.findBy('users', 'id', id);
    if (user === null || user.disabledAt !== null || user.epoch !== epoch) return signInAgain;
    const at = moment();
    const after = code === null ? null : afterCode(user, code, secretBox, at.now);
    if (code !== null && after === null) return wrongCode;
    const memberships = await membershipsOf(store, user.id);
    const [first] = memberships;
    if (first === undefined) return noMerchant;
    const { session, token } = newSession(user, { merchantId: first.merchantId, livemode: false }, origin, at, random);
    const details = after === null ? {} : { second_factor: after.isRecovery ? 'recovery_code' : 'app' };
    const auditEntries = userEntries(at, user, memberships, { action: 'user.signed_in', ip: origin.ip, details });
    return {
      changes: { users: after === null ? [] : [after.user], dashboardSessions: [session], auditEntries },
      result: { user: after?.user ?? user, session, token },
    };
  });
  if (!('done' in outcome)) return isRefusal(outcome) ? outcome : signInAgain;
  signIns.count('signed_in');
  return outcome.done;
}

export const wrongCode = refuse('code_invalid', 'The code is wrong, or was used already. Enter the next one.', 'code');
const signInAgain = refuse('sign_in_failed', 'This took too long, or the password was changed. Sign in again.');
const noMerchant = refuse(
  'role_not_allowed',
  'Your password is right, but you belong to no merchant. Open your invitation, or ask an owner for one.',
);

const challengeMs = 600_000;
const challengeContext = 'second factor challenge';

function newChallenge(box: SecretBox, { id, epoch }: User, now: number): string {
  const text = JSON.stringify([id, epoch, now + challengeMs]);
  return Buffer.from(box.seal(text, challengeContext)).toString('base64url');
}

function openChallenge(box: SecretBox, text: string, now: number): { userId: string; epoch: number } | null {
  let opened: unknown;
  try {
    opened = JSON.parse(box.open(Buffer.from(text, 'base64url'), challengeContext));
  } catch {
    // Not one of ours, or changed.
    return null;
  }
  const [userId, epoch, until] = opened as [string, number, number];
  return until > now ? { userId, epoch } : null;
}

/** The merchants that a user works for, oldest membership first. */
export async function membershipsOf(store: Store, userId: string): Promise<readonly Membership[]> {
  const all = await store.list('members', { where: { userId }, limit: maxMembers });
  return all.filter(isMember).toSorted((a, b) => a.createdAt - b.createdAt || (a.merchantId < b.merchantId ? -1 : 1));
}

/** What a user does with their own account concerns every merchant that they work for. */
export function userEntries(
  moment: Moment,
  { id, email }: User,
  memberships: readonly Pick<Membership, 'merchantId'>[],
  {
    action,
    ip,
    details = {},
  }: { readonly action: AuditAction; readonly ip: string | null; readonly details?: AuditDetails },
): AuditEntry[] {
  return memberships.map(({ merchantId }) =>
    auditEntry(moment, { actor: userActor(id), action, subject: id, merchantId, details }, { email, ip }),
  );
}
