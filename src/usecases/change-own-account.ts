// What users change about their own account: name, password and sessions. A new password ends every session, and the one
// that changed it goes on with a new token.

import type { AuditAction } from '../domain/audit-entry.ts';
import {
  type DashboardSession,
  ended,
  isLive,
  newSession,
  renewedSession,
  type SessionOrigin,
} from '../domain/dashboard-session.ts';
import { isRefusal, type Refusal, refuse } from '../domain/errors.ts';
import { weakPassword } from '../domain/password-rules.ts';
import type { User } from '../domain/user.ts';
import { decideAndCommit } from './decide-and-commit.ts';
import { type BegunSession, checkPassword, membershipsOf, type SignInDeps, userEntries } from './sign-in.ts';

export const ownSessionNotFound = (): Refusal =>
  refuse('session_not_found', 'There is no such session, or it has ended.');

/** Whose account it is, and the session that they use. */
export interface Self {
  readonly userId: string;
  readonly sessionId: string;
  readonly email: string;
}

const maxSessions = 500;
const sessionGone = refuse('sign_in_required', 'The session has ended. Sign in again.');
const wrongPassword = refuse('password_wrong', 'The password is wrong.', 'password');
const wrongCurrentPassword = refuse('password_wrong', 'The current password is wrong.', 'current_password');

/** Checks the password of somebody who is signed in. */
export async function confirmPassword(
  deps: SignInDeps,
  { email, userId }: Self,
  password: string,
  ip: string,
): Promise<User | Refusal> {
  const user = await checkPassword(deps, { email, password, ip, userId });
  return isRefusal(user) && user.refused === 'sign_in_failed' ? wrongPassword : user;
}

export async function changePassword(
  deps: SignInDeps,
  self: Self,
  { current, wanted }: { readonly current: string; readonly wanted: string },
  origin: SessionOrigin,
): Promise<BegunSession | Refusal> {
  const user = await confirmPassword(deps, self, current, origin.ip);
  if (isRefusal(user)) return user === wrongPassword ? wrongCurrentPassword : user;
  const weak = weakPassword(wanted, [user.email, user.name ?? '']);
  if (weak !== null) return weak;
  const passwordHash = await deps.passwords.hash(wanted);
  if (isRefusal(passwordHash)) return passwordHash;
  return restart(deps, self, origin, { passwordHash, linkId: null }, 'user.password_changed');
}

/** Ends all sessions but this one, which gets a new token, but not another thirty days. */
export function endOtherSessions(deps: SignInDeps, self: Self, origin: SessionOrigin): Promise<BegunSession | Refusal> {
  return restart(deps, self, origin, {}, 'user.sessions_ended');
}

async function restart(
  { store, moment, random }: SignInDeps,
  { userId, sessionId }: Self,
  origin: SessionOrigin,
  change: Partial<User>,
  action: AuditAction,
): Promise<BegunSession | Refusal> {
  const outcome = await decideAndCommit(store, async () => {
    const before = await store.findBy('users', 'id', userId);
    const session = await store.findBy('dashboardSessions', 'id', sessionId);
    const at = moment();
    if (before === null || session === null || !isLive({ session, user: before }, at.now)) return sessionGone;
    const user: User = { ...before, ...change, epoch: before.epoch + 1 };
    const scope = { merchantId: session.lastMerchantId, livemode: session.lastLivemode };
    const next =
      change.passwordHash === undefined
        ? renewedSession(session, user, origin, at, random)
        : newSession(user, scope, origin, at, random);
    const auditEntries = userEntries(at, user, await membershipsOf(store, userId), { action, ip: origin.ip });
    return {
      changes: { users: [user], dashboardSessions: [ended(session, at.now), next.session], auditEntries },
      result: { user, ...next },
    };
  });
  if ('done' in outcome) return outcome.done;
  return isRefusal(outcome) ? outcome : sessionGone;
}

/** The sessions that have not ended, newest first. */
export async function sessionsOf(
  { store, moment }: Pick<SignInDeps, 'store' | 'moment'>,
  userId: string,
): Promise<readonly DashboardSession[]> {
  const user = await store.findBy('users', 'id', userId);
  const all = await store.list('dashboardSessions', { where: { userId }, limit: maxSessions });
  const { now } = moment();
  return all.filter(({ epoch, expiresAt }) => epoch === user?.epoch && expiresAt > now);
}

/** Ends one of the user's sessions. */
export async function endSession(
  { store, moment }: Pick<SignInDeps, 'store' | 'moment'>,
  userId: string,
  sessionId: string,
): Promise<Refusal | null> {
  const outcome = await decideAndCommit(store, async () => {
    const session = await store.findBy('dashboardSessions', 'id', sessionId);
    const { now } = moment();
    if (session === null || session.userId !== userId || session.expiresAt <= now) return ownSessionNotFound();
    return { changes: { dashboardSessions: [ended(session, now)] }, result: null };
  });
  return isRefusal(outcome) ? outcome : null;
}

export async function renameUser(
  { store }: Pick<SignInDeps, 'store'>,
  userId: string,
  name: string | null,
): Promise<Refusal | null> {
  const outcome = await decideAndCommit(store, async () => {
    const user = await store.findBy('users', 'id', userId);
    if (user === null) return sessionGone;
    return { changes: { users: user.name === name ? [] : [{ ...user, name }] }, result: null };
  });
  return isRefusal(outcome) ? outcome : null;
}
