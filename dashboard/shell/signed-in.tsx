// Provides the session to all pages that need one. When it ends, the route decides again where the user may be.

import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { SessionContext, useSessionQuery } from '../api/session.ts';
import { Shell } from './shell.tsx';

export function SignedIn() {
  const { data: session } = useSessionQuery();
  const router = useRouter();
  const isSignedIn = session?.signed_in === true;
  const needsSecondFactor = session?.signed_in === true && session.second_factor_required;
  useEffect(() => {
    if (!isSignedIn || needsSecondFactor) router.invalidate();
  }, [router, isSignedIn, needsSecondFactor]);
  if (session?.signed_in !== true) return null;
  return (
    <SessionContext value={session}>
      <Shell />
    </SessionContext>
  );
}
