// One's own account: name, password, second factor and sessions.

import { useState } from 'react';
import { patch, post } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { sessionQuery, setSession, useSession } from '../../api/session.ts';
import type { Session } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { Card, Details } from '../../components/details.tsx';
import { FormDialog } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { toast } from '../../components/toast.tsx';
import { useAction } from '../../components/use-action.ts';
import { NewPasswordFields, passwordProblem } from './new-password-fields.tsx';
import { SecondFactor } from './second-factor.tsx';
import { Sessions } from './sessions.tsx';

export function Account() {
  const { second_factor_required: isRequired } = useSession();
  return (
    <>
      <PageHead title="Account and security" />
      <div className="narrow stack">
        {isRequired && (
          <p className="notice notice-warn" role="status">
            This merchant requires two-step verification. Set it up to continue.
          </p>
        )}
        <SecondFactor />
        {!isRequired && <Profile />}
        {!isRequired && <Sessions />}
      </div>
    </>
  );
}

function Profile() {
  const { user } = useSession();
  const [dialog, setDialog] = useState<'name' | 'password' | null>(null);
  return (
    <Card
      title="Profile"
      actions={
        <div className="cluster">
          <Button small onClick={() => setDialog('name')}>
            Change name
          </Button>
          <Button small onClick={() => setDialog('password')}>
            Change password
          </Button>
        </div>
      }
    >
      <Details
        facts={[
          { name: 'Name', value: user.name ?? <span className="faint">None</span> },
          { name: 'Email', value: user.email },
        ]}
      />
      <ChangeName open={dialog === 'name'} name={user.name ?? ''} onClose={() => setDialog(null)} />
      <ChangePassword open={dialog === 'password'} email={user.email} onClose={() => setDialog(null)} />
    </Card>
  );
}

interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

function ChangeName({ open, name, onClose }: DialogProps & { readonly name: string }) {
  const { busy, error, run } = useAction(async (fields: FormData) => {
    await patch('/account', { name: String(fields.get('name') ?? '').trim() || null });
    await queryClient.invalidateQueries(sessionQuery);
    onClose();
  });
  return (
    <FormDialog
      open={open}
      onOpenChange={onClose}
      title="Change name"
      submit="Save"
      busy={busy}
      error={error}
      onSubmit={run}
    >
      <Field
        label="Name"
        name="name"
        autoComplete="name"
        defaultValue={name}
        maxLength={200}
        hint="Colleagues see it in the team and in the audit log."
      />
    </FormDialog>
  );
}

function ChangePassword({ open, email, onClose }: DialogProps & { readonly email: string }) {
  const { busy, error, run } = useAction(async (fields: FormData) => {
    const password = String(fields.get('password') ?? '');
    const problem = passwordProblem(password, String(fields.get('repeated') ?? ''));
    if (problem !== null) return problem;
    const change = { current_password: fields.get('current'), new_password: password };
    setSession(await post<Session>('/account/password', change, { session: 'replaced' }));
    toast('Your password was changed. All other sessions have ended.');
    onClose();
    return null;
  });
  return (
    <FormDialog
      open={open}
      onOpenChange={onClose}
      title="Change password"
      description="Your sessions in other browsers end."
      submit="Change password"
      busy={busy}
      error={error}
      onSubmit={run}
    >
      <input type="hidden" name="username" autoComplete="username" value={email} />
      <Field label="Current password" name="current" type="password" autoComplete="current-password" required />
      <NewPasswordFields />
    </FormDialog>
  );
}
