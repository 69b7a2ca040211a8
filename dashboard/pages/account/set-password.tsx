// Where one-time links lead: an invited user, one with a new link, or the first owner sets a password and is signed in. The
// token is in the fragment of the address, which browsers do not send.

import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { messageOf } from '../../api/api-error.ts';
import { post } from '../../api/client.ts';
import { setSession } from '../../api/session.ts';
import type { LinkFacts, Session } from '../../api/types.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { FormError } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { Skeleton } from '../../components/states.tsx';
import { EntryFrame } from './entry-frame.tsx';
import { NewPasswordFields, passwordProblem } from './new-password-fields.tsx';

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
    queryFn: () => post<LinkFacts>('/set-password/look-up', { token }),
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
  readonly link: LinkFacts;
}) {
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const isFirstOwner = link.purpose === 'first_owner';
  const isNewUser = link.purpose !== 'password_reset';

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const text = (name: string): string => String(fields.get(name) ?? '').trim();
    const password = String(fields.get('password') ?? '');
    const problem = passwordProblem(password, String(fields.get('repeated') ?? ''));
    setError(problem);
    if (problem !== null) return;
    setBusy(true);
    try {
      const body = {
        ...{ token, password },
        ...(isNewUser && text('name') !== '' ? { name: text('name') } : {}),
        ...(isFirstOwner ? { email: text('email') } : {}),
      };
      setSession(await post<Session>('/set-password', body));
      await navigate({ to: '/', replace: true });
    } catch (failure) {
      setError(messageOf(failure));
    } finally {
      setBusy(false);
    }
  }
  return (
    <EntryFrame title={title}>
      <p className="entry-note">
        {isFirstOwner ? (
          <>
            You become the owner of <strong>{link.merchant_name}</strong>.
          </>
        ) : isNewUser ? (
          <>
            You were invited to work with <strong>{link.merchant_name}</strong>.
          </>
        ) : (
          <>
            Choose a new password for <strong>{link.email}</strong>.
          </>
        )}
      </p>
      <form className="stack" onSubmit={submit}>
        {isFirstOwner ? (
          <Field label="Email" name="email" type="email" autoComplete="username" required autoFocus maxLength={300} />
        ) : (
          <Field label="Email" name="email" type="email" autoComplete="username" readOnly value={link.email ?? ''} />
        )}
        {isNewUser && (
          <Field label="Name" name="name" autoComplete="name" maxLength={100} defaultValue={link.name ?? ''} />
        )}
        <NewPasswordFields autoFocus={!isFirstOwner} />
        <FormError message={error} />
        <Button type="submit" look="primary" busy={busy} className="button-wide">
          {isNewUser ? 'Create account' : 'Set password'}
        </Button>
      </form>
    </EntryFrame>
  );
}
