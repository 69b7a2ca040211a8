// Signing in: e-mail and password, then the second factor if the user has one. A delay is shown, and counted down.

import { useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { setSession, useSessionQuery } from '../../api/session.ts';
import type { SignInReply } from '../../api/types.ts';
import { FormError } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { ErrorState } from '../../components/states.tsx';
import { EntryFrame } from './entry-frame.tsx';
import { StepButton, useStep } from './entry-step.tsx';
import { redirectSearch } from './redirect-search.ts';
import { SecondStep } from './second-step.tsx';

export function SignIn() {
  const session = useSessionQuery();
  const { redirect = '/' } = redirectSearch({ ...useSearch({ from: '/sign-in' }) });
  const [challenge, setChallenge] = useState<string | null>(null);

  function accepted(reply: SignInReply): void {
    if ('challenge' in reply) setChallenge(reply.challenge);
    else setSession(reply);
  }

  if (session.isError) return <ErrorState error={session.error} onRetry={() => session.refetch()} />;
  if (session.data?.signed_in === true) return <Leave to={redirect} />;
  if (challenge !== null)
    return <SecondStep challenge={challenge} onSignedIn={setSession} onBack={() => setChallenge(null)} />;
  return <FirstStep isSetup={session.data?.setup === true} onAccepted={accepted} />;
}

/** Goes where the user wanted to go, which may have search parameters. */
function Leave({ to }: { readonly to: string }) {
  const { history } = useRouter();
  useEffect(() => {
    history.replace(to === '/' ? '/dashboard' : `/dashboard${to}`);
  }, [history, to]);
  return null;
}

function FirstStep({
  isSetup,
  onAccepted,
}: {
  readonly isSetup: boolean;
  readonly onAccepted: (reply: SignInReply) => void;
}) {
  const { busy, error, secondsLeft, submit } = useStep<SignInReply>('/session', onAccepted);
  return (
    <EntryFrame title="Sign in">
      {isSetup && (
        <p className="entry-note">
          There is no user yet. Open the link that Paydesk printed when it first started, or make a user with{' '}
          <code>paydesk user create</code>.
        </p>
      )}
      <form className="stack" onSubmit={submit}>
        <Field label="Email" name="email" type="email" autoComplete="username" autoFocus required maxLength={300} />
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          maxLength={1000}
        />
        <FormError message={error} />
        <StepButton label="Sign in" busy={busy} secondsLeft={secondsLeft} />
      </form>
      <p className="faint entry-note">
        Forgot your password? An owner of your team can make a new link, or an operator with{' '}
        <code>paydesk user reset-password</code>.
      </p>
    </EntryFrame>
  );
}
