// The roles, in words.

import type { MemberBody } from '../../../src/http/dashboard/api-types.ts';

export type Role = MemberBody['role'];

export const roleNames: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  developer: 'Developer',
  support: 'Support',
};

export const roleTexts: Readonly<Record<Role, string>> = {
  owner: 'Everything, including the team and accounts at payment providers.',
  developer: 'Everything but the team and the credentials of payment providers.',
  support: 'Sees payments and sessions, refunds and cancels. Sees no keys, webhook secrets or settings.',
};

export const roleOrder: readonly Role[] = ['owner', 'developer', 'support'];
