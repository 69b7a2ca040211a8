// The staff of a merchant: owners invite, change roles and remove. There is always an owner: the merchant's row is part of
// each commit that could leave none, so that two owners cannot remove each other at the same time.

import { type AuditAction, type AuditDetails, auditEntry } from '../domain/audit-entry.ts';
import type { ChangeSet } from '../domain/change-set.ts';
import { isRefusal, type Refusal, refuse } from '../domain/errors.ts';
import type { Random } from '../domain/ids.ts';
import type { Moment } from '../domain/moment.ts';
import { type NewLink, newLink } from '../domain/one-time-link.ts';
import {
  hasSecondFactor,
  isMember,
  type Membership,
  maxMembers,
  newMembership,
  newUser,
  type User,
} from '../domain/user.ts';
import type { Role } from '../domain/user-role.ts';
import type { Store } from '../storage/store.ts';
import { membershipAt } from './create-user.ts';
import { type Decision, decideAndCommit } from './decide-and-commit.ts';

export interface TeamDeps {
  readonly store: Store;
  readonly moment: () => Moment;
  readonly random: Random;
}

/** The owner who changes something, and at which merchant. */
export interface TeamActor {
  readonly merchantId: string;
  readonly userId: string;
}

export interface Member {
  readonly membership: Membership;
  readonly user: User;
}

export interface Invited extends Member {
  readonly link: NewLink;
}

export const memberNotFound = (): Refusal => refuse('user_not_found', 'No such user works for this merchant.');
const lastOwner = refuse('last_owner', 'A merchant needs an owner. Make somebody else an owner first.');
const teamFull = refuse('already_member', `A merchant can have at most ${maxMembers} members.`);
const ownFactorFirst = refuse(
  'second_factor_off',
  'Set up your own second factor first. Otherwise you would be locked out.',
);
const noLink = refuse(
  'link_not_possible',
  'This user has a password, and works for other merchants too, so only whoever runs Paydesk can reset it: paydesk user reset-password.',
);

const disabled = refuse(
  'link_not_possible',
  'Whoever runs Paydesk has disabled this user, so a link would not work. Ask them to enable the user first: paydesk user enable.',
);

/** Everybody who works for the merchant or is invited, in the order in which they came. */
export async function teamOf(store: Store, merchantId: string): Promise<readonly Member[]> {
  const memberships = await store.list('members', { where: { merchantId }, limit: maxMembers });
  const users = await Promise.all(memberships.map(({ userId }) => store.findBy('users', 'id', userId)));
  return memberships
    .flatMap((membership, at) => {
      const user = users[at];
      return user == null ? [] : [{ membership, user }];
    })
    .toSorted((a, b) => a.membership.createdAt - b.membership.createdAt);
}

/** Creates a link to join, whether or not there is a user with that address. */
export function inviteMember(
  deps: TeamDeps,
  actor: TeamActor,
  { email, role, name }: { readonly email: string; readonly role: Role; readonly name: string | null },
): Promise<Invited | Refusal> {
  const { store, moment, random } = deps;
  return decided(store, async () => {
    const { merchantId } = actor;
    const known = await store.findBy('users', 'email', email);
    const before = known === null ? null : await membershipAt(store, known.id, merchantId);
    if (before !== null && before.removedAt === null) {
      return refuse('already_member', `${email} already belongs to the team.`, 'email');
    }
    if (known !== null && known.disabledAt !== null) return disabled;
    if ((await store.count('members', { where: { merchantId } }, maxMembers)) >= maxMembers) return teamFull;
    const at = moment();
    const user = known ?? newUser(email, name, at);
    const link = newLink({ purpose: 'invite', userId: user.id, merchantId }, at, random);
    const made = newMembership({ merchantId, userId: user.id, role }, link.link.id, at);
    const membership = { ...made, version: before?.version ?? 0 };
    const changes: ChangeSet = {
      users: known === null ? [user] : [],
      memberships: [membership],
      oneTimeLinks: [link.link],
      auditEntries: [entry(actor, 'team.member_invited', user.id, { email, role }, at)],
    };
    return { changes, result: { membership, user, link } };
  });
}

export function changeRole(deps: TeamDeps, actor: TeamActor, userId: string, role: Role): Promise<Member | Refusal> {
  const { store, moment } = deps;
  return decided(store, async () => {
    const found = await memberOf(store, actor.merchantId, userId);
    if (isRefusal(found)) return found;
    const { membership } = found;
    if (membership.role === role) return { changes: {}, result: found };
    const merchants = await keepingAnOwner(store, membership);
    if (isRefusal(merchants)) return merchants;
    const changed = { ...membership, role };
    const auditEntries = [
      entry(actor, 'team.role_changed', userId, { role: { from: membership.role, to: role } }, moment()),
    ];
    return { changes: { merchants, memberships: [changed], auditEntries }, result: { ...found, membership: changed } };
  });
}

export function removeMember(deps: TeamDeps, actor: TeamActor, userId: string): Promise<null | Refusal> {
  const { store, moment } = deps;
  return decided(store, async () => {
    const found = await memberOf(store, actor.merchantId, userId);
    if (isRefusal(found)) return found;
    const { membership, user } = found;
    const merchants = await keepingAnOwner(store, membership);
    if (isRefusal(merchants)) return merchants;
    const at = moment();
    const removed = { ...membership, removedAt: at.now, linkId: null };
    const details = { email: user.email, role: membership.role };
    const auditEntries = [entry(actor, 'team.member_removed', userId, details, at)];
    return { changes: { merchants, memberships: [removed], auditEntries }, result: null };
  });
}

/** A new link for an invitation, or for a colleague who forgot the password and works for no other merchant. */
export function renewLink(deps: TeamDeps, actor: TeamActor, userId: string): Promise<Invited | Refusal> {
  const { store, moment, random } = deps;
  return decided(store, async () => {
    const found = await memberOf(store, actor.merchantId, userId);
    if (isRefusal(found)) return found;
    const { membership, user } = found;
    if (user.disabledAt !== null) return disabled;
    const at = moment();
    const auditEntries = [entry(actor, 'team.link_created', userId, { email: user.email }, at)];
    if (membership.joinedAt === null) {
      const link = newLink({ purpose: 'invite', userId, merchantId: actor.merchantId }, at, random);
      const changed = { ...membership, linkId: link.link.id };
      const changes = { memberships: [changed], oneTimeLinks: [link.link], auditEntries };
      return { changes, result: { user, membership: changed, link } };
    }
    const all = await store.list('members', { where: { userId }, limit: maxMembers });
    if (all.some(({ merchantId }) => merchantId !== actor.merchantId)) return noLink;
    const link = newLink({ purpose: 'reset', userId, merchantId: actor.merchantId }, at, random);
    const changes = { users: [{ ...user, linkId: link.link.id }], oneTimeLinks: [link.link], auditEntries };
    return { changes, result: { user, membership, link } };
  });
}

export function requireSecondFactor(deps: TeamDeps, actor: TeamActor, required: boolean): Promise<boolean | Refusal> {
  const { store, moment } = deps;
  return decided(store, async () => {
    const merchant = await store.findBy('merchants', 'id', actor.merchantId);
    const owner = await store.findBy('users', 'id', actor.userId);
    if (merchant === null || owner === null) return memberNotFound();
    if (required && !hasSecondFactor(owner)) return ownFactorFirst;
    if (merchant.requiresSecondFactor === required) return { changes: {}, result: required };
    const details = { require_second_factor: { from: merchant.requiresSecondFactor, to: required } };
    const auditEntries = [entry(actor, 'team.settings_updated', merchant.id, details, moment())];
    return {
      changes: { merchants: [{ ...merchant, requiresSecondFactor: required }], auditEntries },
      result: required,
    };
  });
}

async function memberOf(store: Store, merchantId: string, userId: string): Promise<Member | Refusal> {
  const membership = await membershipAt(store, userId, merchantId);
  const user = await store.findBy('users', 'id', userId);
  if (membership === null || membership.removedAt !== null || user === null) return memberNotFound();
  return { membership, user };
}

/** The rows to commit with a change that takes away this member's role. */
async function keepingAnOwner(store: Store, { merchantId, userId, role }: Membership) {
  if (role !== 'owner') return [];
  const merchant = await store.findBy('merchants', 'id', merchantId);
  const team = await teamOf(store, merchantId);
  const others = team.filter(
    ({ membership, user }) =>
      membership.role === 'owner' && isMember(membership) && user.id !== userId && user.disabledAt === null,
  );
  if (merchant === null || others.length === 0) return lastOwner;
  return [merchant];
}

function entry(
  { merchantId, userId }: TeamActor,
  action: AuditAction,
  subject: string,
  details: AuditDetails,
  at: Moment,
) {
  return auditEntry(at, { actor: `user:${userId}`, action, subject, merchantId, details });
}

async function decided<T>(store: Store, decide: () => Promise<Decision<T> | Refusal>): Promise<T | Refusal> {
  const outcome = await decideAndCommit(store, decide);
  if ('done' in outcome) return outcome.done;
  if (isRefusal(outcome)) return outcome;
  throw new Error('a change of the team has no idempotency key');
}
