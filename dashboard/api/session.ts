// Who is signed in, and for which merchants.

import { queryOptions, useQuery } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { get, patch, rememberToken, remove } from './client.ts';
import { queryClient } from './query-client.ts';
import { adoptScope, currentScope, setScope } from './scope.ts';
import type { Membership, Mode, Session, SignedIn } from './types.ts';

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => accept(await get<Session>('/session', { signal, session: 'read' })),
  staleTime: 60_000,
});

export function accept(session: Session): Session {
  rememberToken(session);
  if (session.signed_in) adoptScope(session);
  return session;
}

/** After signing in, or when the server reports a changed session. */
export function setSession(session: Session): void {
  queryClient.setQueryData(sessionQuery.queryKey, accept(session));
}

const signedOut: Session = { signed_in: false, setup: false };

/** Forgets everything that the user could see. */
export function forgetSession(): void {
  rememberToken(signedOut);
  setScope(null);
  queryClient.removeQueries({ predicate: ({ queryKey: [first] }) => first !== 'session' });
  queryClient.setQueryData(sessionQuery.queryKey, signedOut);
}

/** Whether the session and the role are still those that the page shows; null if that cannot be found out now. */
export async function checkSession(): Promise<Session | null> {
  const before = queryClient.getQueryData(sessionQuery.queryKey);
  const session = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 }).catch(() => null);
  if (session?.signed_in === false) forgetSession();
  // What is shown belongs to somebody else, who has signed in with this browser meanwhile.
  else if (before?.signed_in === true && session !== null && before.user.id !== session.user.id) location.reload();
  return session;
}

/** Another window may have got another token for the session. False if it is not the same user's any more. */
export async function renewToken(): Promise<boolean> {
  const before = queryClient.getQueryData(sessionQuery.queryKey);
  const session = await checkSession();
  return before?.signed_in === true && session?.signed_in === true && before.user.id === session.user.id;
}

export async function signOut(): Promise<void> {
  await remove('/session', { scope: null });
  forgetSession();
}

/** Shows the other data at once; the server learns of it for the next tab. */
export async function switchMode(mode: Mode): Promise<void> {
  const scope = currentScope();
  if (scope === null) return;
  setScope({ ...scope, mode });
  await patch('/session', { mode });
}

/** Waits for the session at that merchant: whether a second factor is required there decides what can be opened. */
export async function switchMerchant(merchant: string): Promise<void> {
  const change = { merchant, mode: currentScope()?.mode };
  const session = await patch<SignedIn>('/session', change, { scope: null });
  setScope({ merchant: session.merchant, mode: session.mode });
  // An answer that is on its way is about the previous merchant.
  await queryClient.cancelQueries({ queryKey: sessionQuery.queryKey });
  setSession(session);
}

export const SessionContext = createContext<SignedIn | null>(null);

export function useSession(): SignedIn {
  const session = use(SessionContext);
  if (session === null) throw new Error('only signed-in pages may use the session');
  return session;
}

export function useSessionQuery() {
  return useQuery(sessionQuery);
}

export function membershipIn(session: SignedIn, merchant: string | undefined): Membership {
  const found = session.merchants.find(({ id }) => id === merchant) ?? session.merchants[0];
  if (found === undefined) throw new Error('a signed-in user belongs to a merchant');
  return found;
}
