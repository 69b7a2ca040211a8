// The merchant that this tab works for, and what the user's role there allows.

import { useScope } from './scope.ts';
import { membershipIn, useSession } from './session.ts';
import type { Membership, Permission } from './types.ts';

export function useMembership(): Membership {
  return membershipIn(useSession(), useScope()?.merchant);
}

/** The server checks every call; this only decides what is shown. */
export function useMay(permission: Permission): boolean {
  return useMembership().permissions.includes(permission);
}
