// Uses a one-time link: chooses a password, or joins a merchant. A link that an owner created never sets the password of
// somebody who has one: they may work for other merchants, which that owner has no business with.

import { auditEntry, userActor } from '../domain/audit-entry.ts';
import type { ChangeSet } from '../domain/change-set.ts';
import { hashToken } from '../domain/dashboard-session.ts';
import { isRefusal, type Refusal, refuse } from '../domain/errors.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { Moment } from '../domain/moment.ts';
import { isLinkToken, isOpen, type OneTimeLink } from '../domain/one-time-link.ts';
import { weakPassword } from '../domain/password-rules.ts';
import { isMember, type Membership, maxMembers, newMembership, newUser, type User, userEmail } from '../domain/user.ts';
import type { Store } from '../storage/store.ts';
import { membershipAt } from './create-user.ts';
import { decideAndCommit } from './decide-and-commit.ts';
import { checkPassword, membershipsOf, type SignInDeps, userEntries } from './sign-in.ts';

/** A link that can be used, and what it is about. */
export interface FoundLink {
  readonly link: OneTimeLink;
  /** Null: to be created. */
  readonly user: User | null;
  /** Null: an operator's link, which is about no merchant. */
  readonly merchant: Merchant | null;
  /** The invitation. */
  readonly membership: Membership | null;
  /** The user works for a merchant, or has a password or a link to reset it, and so enters that instead of choosing one. */
  readonly hasAccount: boolean;
}

export interface LinkUse {
  readonly token: string;
  /** The new password; for a user who has one, that one. */
  readonly password: string;
  readonly name?: string | undefined;
  /** Of the first owner. */
  readonly email?: string | undefined;
}

const wrongPassword = refuse(
  'password_wrong',
  'The password is wrong. If you do not know it, ask whoever runs Paydesk to reset it.',
  'password',
);
const linkOver = refuse(
  'link_invalid',
  'This link has been used, replaced or has expired. Ask whoever sent it for a new one.',
  'token',
);

export async function findLink(store: Store, token: string, now: number): Promise<FoundLink | Refusal> {
  const link = isLinkToken(token) ? await store.findBy('oneTimeLinks', 'hash', hashToken(token)) : null;
  if (link === null || !isOpen(link, now)) return linkOver;
  const { userId, merchantId, purpose } = link;
  const user = userId === null ? null : await store.findBy('users', 'id', userId);
  const merchant = merchantId === null ? null : await store.findBy('merchants', 'id', merchantId);
  if (purpose === 'first_owner') {
    const isFirst = merchant !== null && !(await hasOwner(store, merchant.id));
    return isFirst ? { link, user: null, merchant, membership: null, hasAccount: false } : linkOver;
  }
  if (user === null || user.disabledAt !== null) return linkOver;
  const joined = await membershipsOf(store, user.id);
  if (purpose === 'reset') {
    // An owner's link was created when the user worked for no other merchant.
    const isOnlyTheirs = merchantId === null || joined.every((one) => one.merchantId === merchantId);
    const isNewest = user.linkId === link.id;
    return isNewest && isOnlyTheirs ? { link, user, merchant, membership: null, hasAccount: false } : linkOver;
  }
  const membership = merchant === null ? null : await membershipAt(store, user.id, merchant.id);
  const isInvited = membership?.linkId === link.id && membership.joinedAt === null && membership.removedAt === null;
  const hasAccount = user.passwordHash !== null || user.linkId !== null || joined.length > 0;
  return isInvited ? { link, user, merchant, membership, hasAccount } : linkOver;
}

/** The id of the user, whose password is now known to be right. */
export async function applyLink(deps: SignInDeps, use: LinkUse, ip: string): Promise<string | Refusal> {
  const { store, moment } = deps;
  const found = await findLink(store, use.token, moment().now);
  if (isRefusal(found)) return found;
  const passwordHash = await checkedPassword(deps, found, use, ip);
  if (isRefusal(passwordHash)) return passwordHash;
  const outcome = await decideAndCommit(store, async () => {
    const at = moment();
    const current = await findLink(store, use.token, at.now);
    if (isRefusal(current)) return current;
    // Another link was used meanwhile: that password counts.
    if (current.hasAccount !== found.hasAccount) return linkOver;
    // Reset since it was checked.
    if (current.hasAccount && current.user?.passwordHash !== found.user?.passwordHash) return wrongPassword;
    const given = current.user ?? (await firstOwner(store, use, at));
    if (isRefusal(given)) return given;
    const memberships = current.user === null ? [] : await membershipsOf(store, current.user.id);
    const { user, changes } = changesOf(current, given, { ...use, passwordHash, ip, memberships }, at);
    const oneTimeLinks = [{ ...current.link, usedAt: at.now }];
    return { changes: { ...changes, oneTimeLinks }, result: user.id };
  });
  if ('done' in outcome) return outcome.done;
  return isRefusal(outcome) ? outcome : linkOver;
}

/** The hash of the new password; null: the user has one already, and entered it. */
async function checkedPassword(
  deps: SignInDeps,
  { user, hasAccount }: FoundLink,
  { password, name, email }: LinkUse,
  ip: string,
): Promise<string | null | Refusal> {
  if (hasAccount && user !== null) {
    const checked = await checkPassword(deps, { email: user.email, password, ip });
    if (!isRefusal(checked)) return null;
    return checked.refused === 'sign_in_failed' ? wrongPassword : checked;
  }
  const weak = weakPassword(password, [user?.email ?? email ?? '', name ?? user?.name ?? '']);
  return weak ?? deps.passwords.hash(password);
}

async function firstOwner(store: Store, { email = '', name }: LinkUse, at: Moment): Promise<User | Refusal> {
  const address = userEmail(email);
  if (address === null) return refuse('parameter_invalid', 'Enter an e-mail address.', 'email');
  if ((await store.findBy('users', 'email', address)) !== null) {
    return refuse('parameter_invalid', 'There is a user with this e-mail address already.', 'email');
  }
  return newUser(address, name ?? null, at);
}

function changesOf(
  { link, merchant, membership }: FoundLink,
  before: User,
  {
    passwordHash,
    name,
    ip,
    memberships,
  }: Pick<LinkUse, 'name'> & {
    readonly passwordHash: string | null;
    readonly ip: string;
    readonly memberships: readonly Membership[];
  },
  at: Moment,
): { readonly user: User; readonly changes: ChangeSet } {
  const { id: userId, email } = before;
  const user: User =
    passwordHash === null
      ? before
      : { ...before, passwordHash, name: name ?? before.name, epoch: before.epoch + 1, linkId: null };
  // The user's row is part of it even if it stays the same: an owner's reset that is decided at the same time must not
  // follow somebody to another merchant.
  const users = [user];
  if (merchant === null || link.purpose === 'reset') {
    const auditEntries = userEntries(at, user, memberships, { action: 'user.password_set', ip });
    return { user, changes: { users, auditEntries } };
  }
  const merchantId = merchant.id;
  const joined: Membership =
    membership === null
      ? newMembership({ merchantId, userId, role: 'owner' }, null, at)
      : { ...membership, joinedAt: at.now, linkId: null };
  const entry = { actor: userActor(userId), action: 'user.joined', subject: userId, merchantId } as const;
  const auditEntries = [auditEntry(at, { ...entry, details: { role: joined.role } }, { email, ip })];
  // The merchant's row is part of it, so that two links cannot create two first owners at the same time.
  const merchants = link.purpose === 'first_owner' ? [merchant] : [];
  return { user, changes: { users, merchants, memberships: [joined], auditEntries } };
}

async function hasOwner(store: Store, merchantId: string): Promise<boolean> {
  const members = await store.list('members', { where: { merchantId }, limit: maxMembers });
  return members.some((one) => one.role === 'owner' && isMember(one));
}
