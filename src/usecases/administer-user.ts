// What the operator does with a user, whoever they work for: a link to reset the password, disabling, enabling.

import { type AuditAction, type AuditDetails, auditEntry } from '../domain/audit-entry.ts';
import type { ChangeSet } from '../domain/change-set.ts';
import { isRefusal, type Refusal, refuse } from '../domain/errors.ts';
import type { Moment } from '../domain/moment.ts';
import { type NewLink, newLink } from '../domain/one-time-link.ts';
import { withoutSecondFactor } from '../domain/second-factor.ts';
import { type Membership, maxMembers, type User } from '../domain/user.ts';
import type { UserAdminDeps } from './create-user.ts';
import { decideAndCommit, type Outcome } from './decide-and-commit.ts';

export interface AdministeredUser {
  readonly user: User;
  readonly memberships: readonly Membership[];
  readonly link: NewLink | null;
}

/** Ends all sessions, and creates a link to choose a new password. The old one no longer works. */
export function resetPassword(
  deps: UserAdminDeps,
  email: string,
  { removeSecondFactor }: { readonly removeSecondFactor: boolean },
): Promise<Outcome<AdministeredUser>> {
  return change(deps, email, (user, at) => {
    if (user.disabledAt !== null) {
      return refuse('link_not_possible', `${email} is disabled. Enable the user first: paydesk user enable ${email}`);
    }
    const link = newLink({ purpose: 'reset', userId: user.id, merchantId: null }, at, deps.random);
    const kept = removeSecondFactor ? withoutSecondFactor(user) : user;
    return {
      user: { ...kept, passwordHash: null, epoch: user.epoch + 1, linkId: link.link.id },
      link,
      action: 'user.link_created',
      details: removeSecondFactor ? { second_factor_removed: true } : {},
    };
  });
}

/** Ends all sessions. Nothing is deleted, so that the audit log still knows who it was. */
export function disableUser(deps: UserAdminDeps, email: string): Promise<Outcome<AdministeredUser>> {
  return change(deps, email, (user, at) => ({
    user: { ...user, disabledAt: user.disabledAt ?? at.now, epoch: user.epoch + 1, linkId: null },
    link: null,
    action: 'user.disabled',
  }));
}

export function enableUser(deps: UserAdminDeps, email: string): Promise<Outcome<AdministeredUser>> {
  return change(deps, email, (user) => ({ user: { ...user, disabledAt: null }, link: null, action: 'user.enabled' }));
}

interface Changed {
  readonly user: User;
  readonly link: NewLink | null;
  readonly action: AuditAction;
  readonly details?: AuditDetails;
}

function change(
  { store, moment, actor }: UserAdminDeps,
  email: string,
  decide: (user: User, at: Moment) => Changed | Refusal,
): Promise<Outcome<AdministeredUser>> {
  return decideAndCommit(store, async () => {
    const before = await store.findBy('users', 'email', email);
    if (before === null) return refuse('user_not_found', `no user ${email} exists; see paydesk user list`);
    const at = moment();
    const changed = decide(before, at);
    if (isRefusal(changed)) return changed;
    const { user, link, action, details = {} } = changed;
    const memberships = await store.list('members', { where: { userId: user.id }, limit: maxMembers });
    const auditEntries = memberships.map(({ merchantId }) =>
      auditEntry(at, { actor, action, subject: user.id, merchantId, details }),
    );
    const changes: ChangeSet = { users: [user], oneTimeLinks: link === null ? [] : [link.link], auditEntries };
    return { changes, result: { user, memberships, link } };
  });
}
