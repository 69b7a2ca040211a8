// Creates a user of the dashboard, or lets an existing one work for another merchant. Done by the operator, who is trusted
// with every account; what owners do is in change-team.ts. Any owner can invite any address and choose the password of its
// account, so a password alone does not show whose address it is: unless the operator created the account, and no owner has
// had a link for it since, the user joins only with a link and the password.

import { type AuditAction, type AuditEntry, auditEntry } from '../domain/audit-entry.ts';
import { type Refusal, refuse } from '../domain/errors.ts';
import type { Random } from '../domain/ids.ts';
import type { Moment } from '../domain/moment.ts';
import { type NewLink, newLink } from '../domain/one-time-link.ts';
import { type Membership, maxMembers, newMembership, newUser, type User } from '../domain/user.ts';
import type { Role } from '../domain/user-role.ts';
import type { Store } from '../storage/store.ts';
import { decideAndCommit, type Outcome } from './decide-and-commit.ts';

export interface UserWanted {
  /** In the form of `userEmail`. */
  readonly email: string;
  readonly name: string | null;
  readonly merchantId: string;
  readonly role: Role;
  /** Null: the user chooses a password with the link. */
  readonly passwordHash: string | null;
}

export interface CreatedUser {
  readonly user: User;
  readonly membership: Membership;
  /** Null: the user has a password, and works for the merchant now. */
  readonly link: NewLink | null;
  /** There was a user with this address before. */
  readonly existed: boolean;
}

export interface UserAdminDeps {
  readonly store: Store;
  readonly moment: () => Moment;
  readonly random: Random;
  readonly actor: string;
}

export function createUser(deps: UserAdminDeps, wanted: UserWanted): Promise<Outcome<CreatedUser>> {
  const { store, moment, random, actor } = deps;
  return decideAndCommit(store, async () => {
    const { email, merchantId, role, passwordHash } = wanted;
    const known = await store.findBy('users', 'email', email);
    const refused = refusalFor(known, wanted);
    if (refused !== null) return refused;
    const before = known === null ? null : await membershipAt(store, known.id, merchantId);
    if (before !== null && before.removedAt === null) {
      return refuse('already_member', `${email} already works for ${merchantId}, as ${before.role}.`);
    }
    const at = moment();
    const user: User = known ?? { ...newUser(email, wanted.name, at), passwordHash };
    const about = { purpose: 'invite', userId: user.id, merchantId } as const;
    const joinsAtOnce = passwordHash !== null || (known !== null && (await isOperatorsOwn(store, known)));
    const link = joinsAtOnce ? null : newLink(about, at, random);
    const membership = {
      ...newMembership({ merchantId, userId: user.id, role }, link?.link.id ?? null, at),
      version: before?.version ?? 0,
    };
    const entry: AuditEntry = auditEntry(at, {
      ...{ actor, action: 'user.created', subject: user.id, merchantId, details: { role } },
    } as const);
    return {
      changes: {
        // An existing user too: an owner may get a link for it at the same time.
        users: [user],
        memberships: [membership],
        oneTimeLinks: link === null ? [] : [link.link],
        auditEntries: [entry],
      },
      result: { user, membership, link, existed: known !== null },
    };
  });
}

function refusalFor(known: User | null, { email, passwordHash }: UserWanted): Refusal | null {
  if (known === null) return null;
  if (known.disabledAt !== null) return refuse('parameter_invalid', `${email} is disabled. Enable the user first.`);
  if (known.passwordHash !== null && passwordHash !== null)
    return refuse('parameter_invalid', `${email} has a password already, which works for all of their merchants.`);
  if (passwordHash !== null) return refuse('parameter_invalid', `${email} is invited already, and has a link.`);
  return null;
}

/** If a merchant has more entries of one action, the user gets a link: older ones are not read. */
const maxEntries = 1_000;

/** Whether the account was created by the operator or with the operator's first link, and no owner has had a link for it. */
async function isOperatorsOwn(store: Store, { id, passwordHash, createdAt }: User): Promise<boolean> {
  if (passwordHash === null) return false;
  const memberships = await store.list('memberships', { where: { userId: id }, limit: maxMembers });
  const entriesBy = async (action: AuditAction): Promise<readonly AuditEntry[]> => {
    const pages = memberships.map(({ merchantId }) =>
      store.list('auditEntries', { where: { merchantId, action }, limit: maxEntries }),
    );
    return (await Promise.all(pages)).flat();
  };
  // Entries are pruned oldest first: if this one is there, the others are too.
  const first = [...(await entriesBy('user.created')), ...(await entriesBy('user.joined'))].some(
    (entry) => entry.subject === id && entry.createdAt === createdAt,
  );
  const links = [await entriesBy('team.member_invited'), await entriesBy('team.link_created')];
  return first && links.every((all) => all.length < maxEntries && all.every(({ subject }) => subject !== id));
}

/** Whether they have joined, are invited, or have been removed. */
export async function membershipAt(store: Store, userId: string, merchantId: string): Promise<Membership | null> {
  const [found] = await store.list('memberships', { where: { merchantId, userId }, limit: 1 });
  return found ?? null;
}
