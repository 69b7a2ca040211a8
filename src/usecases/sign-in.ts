// Signs a user in: checks the password, and begins a session. An unknown address and a wrong password get the same answer,
// and take equally long.

import { type AuditAction, type AuditDetails, type AuditEntry, auditEntry, userActor } from '../domain/audit-entry.ts';
import { type DashboardSession, newSession, type SessionOrigin } from '../domain/dashboard-session.ts';
import { isRefusal, type Refusal, refuse } from '../domain/errors.ts';
import type { Random } from '../domain/ids.ts';
import type { Moment } from '../domain/moment.ts';
import { isMember, type Membership, maxMembers, type User, userEmail } from '../domain/user.ts';
import type { Store } from '../storage/store.ts';
import { countSignIn, type SignInCounting, signInFailed, signInSucceeded, uncountSignIn } from './count-sign-in.ts';
import type { Passwords } from './passwords.ts';

export interface SignInDeps extends SignInCounting {
  readonly random: Random;
  readonly passwords: Passwords;
  /** The network that an address is counted by. */
  readonly networkOf: (ip: string) => string;
}

export interface BegunSession {
  readonly user: User;
  readonly session: DashboardSession;
  /** For the cookie; not stored. */
  readonly token: string;
}

/** The user whose password that is. Counts the attempt. */
export async function checkPassword(
  deps: SignInDeps,
  { email, password, ip }: { readonly email: string; readonly password: string; readonly ip: string },
): Promise<User | Refusal> {
  const known = userEmail(email);
  const attempt = { account: known ?? email.slice(0, 300), address: deps.networkOf(ip) };
  const delayed = await countSignIn(deps, attempt);
  if (delayed !== null) return delayed;
  const user = known === null ? null : await deps.store.findBy('users', 'email', known);
  const matches = await deps.passwords.matches(password, user?.passwordHash ?? null);
  if (isRefusal(matches)) {
    await uncountSignIn(deps, attempt);
    return matches;
  }
  if (!matches || user === null || user.disabledAt !== null) return signInFailed;
  await signInSucceeded(deps, attempt);
  return user;
}

/** The user's password and second factor have been checked. */
export async function beginSession(
  { store, moment, random }: Pick<SignInDeps, 'store' | 'moment' | 'random'>,
  user: User,
  origin: SessionOrigin,
): Promise<BegunSession | Refusal> {
  const memberships = await membershipsOf(store, user.id);
  const [first] = memberships;
  if (first === undefined) {
    return refuse('role_not_allowed', 'You do not belong to a merchant any more. Ask an owner to invite you again.');
  }
  const at = moment();
  const { session, token } = newSession(user, { merchantId: first.merchantId, livemode: false }, origin, at, random);
  const auditEntries = userEntries(at, user, memberships, { action: 'user.signed_in', ip: origin.ip });
  const { committed } = await store.commit({ dashboardSessions: [session], auditEntries });
  if (!committed) throw new Error('a new session collided with an existing one');
  return { user, session, token };
}

/** The merchants that a user works for, oldest membership first. */
export async function membershipsOf(store: Store, userId: string): Promise<readonly Membership[]> {
  const all = await store.list('memberships', { where: { userId }, limit: maxMembers });
  return all.filter(isMember).toSorted((a, b) => a.createdAt - b.createdAt || (a.merchantId < b.merchantId ? -1 : 1));
}

/** What a user does with their own account concerns every merchant that they work for. */
export function userEntries(
  moment: Moment,
  { id, email }: User,
  memberships: readonly Membership[],
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
