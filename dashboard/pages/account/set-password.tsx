// Where one-time links lead: an invited user, one with a new link, or the first owner sets a password and is signed in. The
// token is in the fragment of the address, which browsers do not send.

import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { messageOf } from '../../api/api-error.ts';
import { post } from '../../api/client.ts';
import { setSession } from '../../api/session.ts';
import type { LinkBody, Session, SignInReply } from '../../api/types.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { FormError } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { Skeleton } from '../../components/states.tsx';
import { EntryFrame } from './entry-frame.tsx';
import { NewPasswordFields, passwordProblem } from './new-password-fields.tsx';
import { SecondStep } from './second-step.tsx';

export function SetPassword() {
  return <OneTimeLink title="Set your password" />;
}

export function SetUp() {
  return <OneTimeLink title="Create your account" />;
}

function OneTimeLink({ title }: { readonly title: string }) {
  const [token] = useState(() => window.location.hash.slice(1));
  const link = useQuery({
    queryKey: ['link', token],
    queryFn: () => post<LinkBody>('/set-password/look-up', { token }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: token !== '',
  });
  if (token === '' || link.isError)
    return (
      <EntryFrame title="This link does not work">
        <p className="entry-note">
          {token === ''
            ? 'A part of the address is missing. Open the link exactly as you got it.'
            : messageOf(link.error)}
        </p>
        <Link to="/sign-in" className={buttonClass()}>
          Go to sign-in
        </Link>
      </EntryFrame>
    );
  if (link.data === undefined)
    return (
      <EntryFrame title={title}>
        <Skeleton width={30} />
      </EntryFrame>
    );
  return <PasswordForm title={title} token={token} link={link.data} />;
}

function PasswordForm({
  title,
  token,
  link,
}: {
  readonly title: string;
  readonly token: string;
  readonly link: LinkBody;
}) {
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [challenge, setChallenge] = useState<string | null>(null);
  const { purpose, has_password: hasPassword } = link;
  const asksForName = purpose !== 'reset' && !hasPassword;

  function signedIn(session: Session): void {
    setSession(session);
    navigate({ to: '/', replace: true });
  }
  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const text = (name: string): string => String(fields.get(name) ?? '').trim();
    const password = String(fields.get('password') ?? '');
    const problem = hasPassword ? null : passwordProblem(password, String(fields.get('repeated') ?? ''));
    setError(problem);
    if (problem !== null) return;
    setBusy(true);
    try {
      const reply = await post<SignInReply>('/set-password', {
        ...{ token, password },
        ...(asksForName && text('name') !== '' ? { name: text('name') } : {}),
        ...(link.email === null ? { email: text('email') } : {}),
      });
      if ('challenge' in reply) setChallenge(reply.challenge);
      else signedIn(reply);
    } catch (failure) {
      setError(messageOf(failure));
    } finally {
      setBusy(false);
    }
  }
  if (challenge !== null)
    return <SecondStep challenge={challenge} onSignedIn={signedIn} onBack={() => navigate({ to: '/sign-in' })} />;
  return (
    <EntryFrame title={hasPassword ? 'Accept the invitation' : title}>
      <p className="entry-note">
        <Purpose link={link} />
      </p>
      <form className="stack" onSubmit={submit} noValidate>
        {link.email === null ? (
          <Field label="Email" name="email" type="email" autoComplete="username" required autoFocus maxLength={300} />
        ) : (
          <Field label="Email" name="email" type="email" autoComplete="username" readOnly value={link.email} />
        )}
        {asksForName && (
          <Field label="Name" name="name" autoComplete="name" maxLength={200} defaultValue={link.name ?? ''} />
        )}
        {hasPassword ? (
          <Field
            label="Password"
            name="password"
            type="password"
            autoComplete="current-password"
            required
            hint="The one that you sign in with already."
          />
        ) : (
          <NewPasswordFields autoFocus={link.email !== null} />
        )}
        <FormError message={error} />
        <Button type="submit" look="primary" busy={busy} className="button-wide">
          {hasPassword ? 'Accept' : purpose === 'reset' ? 'Set password' : 'Create account'}
        </Button>
      </form>
    </EntryFrame>
  );
}

function Purpose({ link }: { readonly link: LinkBody }) {
  const merchant = <strong>{link.merchant_name ?? 'Paydesk'}</strong>;
  if (link.purpose === 'first_owner') return <>You become the owner of {merchant}.</>;
  if (link.purpose === 'invite') return <>You were invited to work with {merchant}.</>;
  return (
    <>
      Choose a new password for <strong>{link.email}</strong>.
    </>
  );
}
