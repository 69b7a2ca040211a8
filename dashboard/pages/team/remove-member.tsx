// Removes a member from the merchant's team.

import { useMutation } from '@tanstack/react-query';
import type { MemberBody } from '../../../src/http/dashboard/api-types.ts';
import { remove } from '../../api/client.ts';
import { formErrors } from '../../api/form-errors.ts';
import { useRefresh } from '../../api/queries.ts';
import { FormDialog } from '../../components/dialog.tsx';
import { toast } from '../../components/toast.tsx';

export function RemoveMember({ member, onClose }: { readonly member: MemberBody; readonly onClose: () => void }) {
  const refresh = useRefresh();
  const removing = useMutation({
    mutationFn: () => remove(`/team/${member.id}`),
    onSuccess: async () => {
      await refresh('/team');
      toast(`${member.email} is no longer in the team.`);
      onClose();
    },
  });
  return (
    <FormDialog
      open
      onOpenChange={onClose}
      title="Remove member"
      description={`${member.email} loses access to this merchant at once. What they did stays in the audit log.`}
      submit="Remove"
      look="danger"
      busy={removing.isPending}
      error={formErrors(removing.error, []).form}
      onSubmit={() => removing.mutate()}
    />
  );
}
