// A new link for an invitation that was not used; the old one ends.

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
  return (
    <FormDialog
      open
      onOpenChange={onClose}
      title="New invitation link"
      description={`Makes a new link for ${member.email}. The earlier one stops working.`}
      submit="Create link"
      busy={renewing.isPending}
      error={formErrors(renewing.error, []).form}
      onSubmit={() => renewing.mutate()}
    />
  );
}
