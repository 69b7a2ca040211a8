// Signing in: e-mail and password, then the second factor if the user has one. A delay is told, and counted down.

import { useRouter, useSearch } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import { ApiError, hasCode, messageOf } from '../../api/api-error.ts';
import { post } from '../../api/client.ts';
import { setSession, useSessionQuery } from '../../api/session.ts';
import type { Session, SignInReply } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { FormError } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { ErrorState } from '../../components/states.tsx';
import { EntryFrame } from './entry-frame.tsx';
import { useCountdown } from './use-countdown.ts';

export function SignIn() {
  const session = useSessionQuery();
  const { redirect = '/' } = useSearch({ from: '/sign-in' });
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

/** Sends the form's fields, and keeps what the server said about them. */
function useStep<Reply>(path: string, onReply: (reply: Reply) => void) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [secondsLeft, waitFor] = useCountdown();

  async function submit(event: FormEvent<HTMLFormElement>, more: Readonly<Record<string, string>> = {}) {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      onReply(await post<Reply>(path, { ...Object.fromEntries(new FormData(event.currentTarget)), ...more }));
    } catch (failure) {
      setError(messageOf(failure));
      if (failure instanceof ApiError && failure.status === 429) waitFor(failure.retryAfterSeconds ?? 1);
      return hasCode(failure, 'challenge_expired') ? 'expired' : 'failed';
    } finally {
      setBusy(false);
    }
    return 'done';
  }
  return { busy, error, secondsLeft, submit };
}

function Submit({ label, busy, secondsLeft }: { label: string; busy: boolean; secondsLeft: number }) {
  return (
    <>
      <Button type="submit" look="primary" busy={busy} disabled={secondsLeft > 0} className="button-wide">
        {label}
      </Button>
      {secondsLeft > 0 && (
        <p className="faint entry-note number" role="timer">
          You can try again in {secondsLeft} {secondsLeft === 1 ? 'second' : 'seconds'}.
        </p>
      )}
    </>
  );
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
        <Submit label="Sign in" busy={busy} secondsLeft={secondsLeft} />
      </form>
      <p className="faint entry-note">
        Forgot your password? An owner of your team can make a new link, or an operator with{' '}
        <code>paydesk user reset-password</code>.
      </p>
    </EntryFrame>
  );
}

function SecondStep({
  challenge,
  onSignedIn,
  onBack,
}: {
  readonly challenge: string;
  readonly onSignedIn: (session: Session) => void;
  readonly onBack: () => void;
}) {
  const { busy, error, secondsLeft, submit } = useStep<Session>('/session/second-factor', onSignedIn);
  return (
    <EntryFrame title="Two-step verification">
      <p className="entry-note">Enter the code from your authenticator app, or one of your recovery codes.</p>
      <form className="stack" onSubmit={(event) => submit(event, { challenge })}>
        <Field
          label="Code"
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          required
          maxLength={40}
        />
        <FormError message={error} />
        <Submit label="Continue" busy={busy} secondsLeft={secondsLeft} />
        <Button look="quiet" onClick={onBack}>
          Back to sign-in
        </Button>
      </form>
    </EntryFrame>
  );
}
