// "Invite member": makes a one-time link, which the owner sends.

import { useMutation } from '@tanstack/react-query';
import type { InvitedBody } from '../../../src/http/dashboard/api-types.ts';
import { post } from '../../api/client.ts';
import { formErrors, invalid } from '../../api/form-errors.ts';
import { useRefresh } from '../../api/queries.ts';
import { FormDialog } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { RoleChoice } from './role-choice.tsx';

export function InviteMember({
  onInvited,
  onClose,
}: {
  readonly onInvited: (member: InvitedBody) => void;
  readonly onClose: () => void;
}) {
  const refresh = useRefresh();
  const inviting = useMutation({
    mutationFn: async (fields: FormData) => {
      const email = String(fields.get('email') ?? '').trim();
      if (email === '') throw invalid('email', 'Enter an e-mail address.');
      const name = String(fields.get('name') ?? '').trim();
      const body = { email, role: String(fields.get('role')), ...(name === '' ? {} : { name }) };
      return await post<InvitedBody>('/team', body);
    },
    onSuccess: async (member) => {
      onInvited(member);
      await refresh('/team');
    },
  });
  const errors = formErrors(inviting.error, ['email', 'name']);
  return (
    <FormDialog
      open
      onOpenChange={onClose}
      title="Invite member"
      description="You get a link to send. Whoever opens it chooses a password, once."
      submit="Create invitation"
      busy={inviting.isPending}
      error={errors.form}
      onSubmit={inviting.mutate}
    >
      <Field label="Email" name="email" type="email" autoComplete="off" maxLength={300} error={errors.at('email')} />
      <Field label="Name" name="name" autoComplete="off" maxLength={200} hint="Optional." error={errors.at('name')} />
      <RoleChoice chosen="support" />
    </FormDialog>
  );
}
