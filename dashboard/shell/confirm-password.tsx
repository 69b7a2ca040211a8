// Asks for the password before a sensitive action, if it was last entered more than ten minutes ago.

import { useEffect, useRef, useState } from 'react';
import { messageOf } from '../api/api-error.ts';
import { post } from '../api/client.ts';
import { dismissed, registerPrompt } from '../api/password-prompt.ts';
import { useSession } from '../api/session.ts';
import { FormDialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';

interface Waiting {
  readonly confirmed: () => void;
  readonly closed: () => void;
}

export function ConfirmPassword() {
  const { user } = useSession();
  const waiting = useRef<Waiting | null>(null);
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  useEffect(() => {
    registerPrompt(
      () =>
        new Promise<void>((resolve, reject) => {
          waiting.current = { confirmed: resolve, closed: () => reject(dismissed()) };
          setError(null);
          setOpen(true);
        }),
    );
    return () => registerPrompt(null);
  }, []);

  function end(outcome: keyof Waiting): void {
    setOpen(false);
    waiting.current?.[outcome]();
    waiting.current = null;
  }
  async function submit(fields: FormData): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      await post('/session/confirm', { password: fields.get('password') });
      end('confirmed');
    } catch (failure) {
      setError(messageOf(failure));
    } finally {
      setBusy(false);
    }
  }
  return (
    <FormDialog
      open={open}
      onOpenChange={(shown) => {
        if (!shown) end('closed');
      }}
      title="Confirm your password"
      description="This action is sensitive. Enter your password again to continue."
      submit="Confirm"
      busy={busy}
      error={error}
      onSubmit={submit}
    >
      {/* For password managers. */}
      <input type="hidden" name="username" autoComplete="username" value={user.email} />
      <Field label="Password" name="password" type="password" autoComplete="current-password" required />
    </FormDialog>
  );
}
