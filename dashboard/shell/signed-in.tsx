// Provides the session to all pages that need one, and leaves for the sign-in page when it ends.

import { Navigate, useLocation } from '@tanstack/react-router';
import { SessionContext, useSessionQuery } from '../api/session.ts';
import { Shell } from './shell.tsx';

export function SignedIn() {
  const { data: session } = useSessionQuery();
  const { href, pathname } = useLocation();
  if (session === undefined) return null;
  if (!session.signed_in) return <Navigate to="/sign-in" search={href === '/' ? {} : { redirect: href }} replace />;
  // Everything else is refused until it is set up.
  if (session.second_factor_required && pathname !== '/account') return <Navigate to="/account" replace />;
  return (
    <SessionContext value={session}>
      <Shell />
    </SessionContext>
  );
}
