// The merchant that this tab works for, and what the user's role there allows.

import { useScope } from './scope.ts';
import { membershipIn, type Permission, roleAllows, useSession } from './session.ts';
import type { Membership } from './types.ts';

export function useMembership(): Membership {
  return membershipIn(useSession(), useScope()?.merchant);
}

export function useMay(permission: Permission): boolean {
  return roleAllows(useMembership().role, permission);
}
