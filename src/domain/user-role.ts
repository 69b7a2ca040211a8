// What the roles of a merchant's staff may do. Checked on the server for every route of the dashboard.

export const roles = ['owner', 'developer', 'support'] as const;

export type Role = (typeof roles)[number];

/**
 * `read`: payments and what belongs to them. `refund`: refund and cancel. `operate`: capture, and create or end sessions and
 * links. `develop`: keys, webhooks, events, requests. `credentials`: acquirer accounts. `self`: one's own account.
 */
export const permissions = [
  'read',
  'refund',
  'operate',
  'develop',
  'settings',
  'credentials',
  'team',
  'audit',
  'self',
] as const;

export type Permission = (typeof permissions)[number];

const support: readonly Permission[] = ['self', 'read', 'refund'];
const developer: readonly Permission[] = [...support, 'operate', 'develop', 'settings', 'audit'];
const owner: readonly Permission[] = [...developer, 'credentials', 'team'];

const byRole: Readonly<Record<Role, ReadonlySet<Permission>>> = {
  owner: new Set(owner),
  developer: new Set(developer),
  support: new Set(support),
};

export function isAllowed(role: Role, permission: Permission): boolean {
  return byRole[role].has(permission);
}

export function permissionsOf(role: Role): Permission[] {
  return permissions.filter((permission) => isAllowed(role, permission));
}
