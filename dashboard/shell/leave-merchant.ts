// When an owner has removed the user from the merchant that this tab shows: opens another one of theirs, and says so.

import { get } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { currentScope } from '../api/scope.ts';
import { forgetSession, sessionQuery, setSession } from '../api/session.ts';
import type { Membership, Session } from '../api/types.ts';
import { toast } from '../components/toast.tsx';
import { router } from '../router.tsx';

let isLeaving = false;

/** Calls that are refused at the same time read the session once. */
export async function leaveMerchant(merchant: string): Promise<void> {
  if (isLeaving || !isOpen(merchant)) return;
  isLeaving = true;
  try {
    await openAnother(merchant);
  } catch {
    // The page says that its call failed, and trying that again leads here again.
  } finally {
    isLeaving = false;
  }
}

const isOpen = (merchant: string): boolean => currentScope()?.merchant === merchant;

async function openAnother(merchant: string): Promise<void> {
  // Without the scope, it is answered for a merchant that the user works for.
  const session = await get<Session>('/session', { scope: null });
  // The user may have switched meanwhile. And if the session still has the merchant, opening it again would not help.
  if (!isOpen(merchant) || membershipAt(session, merchant) !== undefined) return;
  if (!session.signed_in) return forgetSession();
  const left = membershipAt(queryClient.getQueryData(sessionQuery.queryKey), merchant);
  setSession(session);
  // What is open belongs to the other merchant.
  router.navigate({ to: '/' });
  toast(`You no longer work for ${left?.name ?? 'this merchant'}.`, 'bad');
}

function membershipAt(session: Session | undefined, merchant: string): Membership | undefined {
  return session?.signed_in === true ? session.merchants.find(({ id }) => id === merchant) : undefined;
}
