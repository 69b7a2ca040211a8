// A new link for an invitation that was not used, or for a member who forgot the password; an earlier link ends.

import { useMutation } from '@tanstack/react-query';
import type { InvitedBody, MemberBody } from '../../../src/http/dashboard/api-types.ts';
import { post } from '../../api/client.ts';
import { formErrors } from '../../api/form-errors.ts';
import { FormDialog } from '../../components/dialog.tsx';

export function RenewLink({
  member,
  onRenewed,
  onClose,
}: {
  readonly member: MemberBody;
  readonly onRenewed: (member: InvitedBody) => void;
  readonly onClose: () => void;
}) {
  const renewing = useMutation({
    mutationFn: () => post<InvitedBody>(`/team/${member.id}/link`),
    onSuccess: onRenewed,
  });
  const words =
    member.status === 'invited'
      ? {
          title: 'New invitation link',
          description: `Makes a new link for ${member.email}. The earlier one stops working.`,
        }
      : {
          title: 'Reset password',
          description: `Creates a link that lets ${member.email} choose a new password. The current password works until the link is used.`,
        };
  return (
    <FormDialog
      open
      onOpenChange={onClose}
      {...words}
      submit="Create link"
      busy={renewing.isPending}
      error={formErrors(renewing.error, []).form}
      onSubmit={() => renewing.mutate()}
    />
  );
}
