// Changes what a member may do.

import { useMutation } from '@tanstack/react-query';
import type { MemberBody } from '../../../src/http/dashboard/api-types.ts';
import { patch } from '../../api/client.ts';
import { formErrors } from '../../api/form-errors.ts';
import { useRefresh } from '../../api/queries.ts';
import { FormDialog } from '../../components/dialog.tsx';
import { toast } from '../../components/toast.tsx';
import { RoleChoice } from './role-choice.tsx';

export function ChangeRole({ member, onClose }: { readonly member: MemberBody; readonly onClose: () => void }) {
  const refresh = useRefresh();
  const changing = useMutation({
    mutationFn: (fields: FormData) => patch(`/team/${member.id}`, { role: String(fields.get('role')) }),
    onSuccess: async () => {
      await refresh('/team');
      toast('The role was changed.');
      onClose();
    },
  });
  return (
    <FormDialog
      open
      onOpenChange={onClose}
      title="Change role"
      description={`What ${member.name ?? member.email} may do:`}
      submit="Change role"
      busy={changing.isPending}
      error={formErrors(changing.error, []).form}
      onSubmit={changing.mutate}
    >
      <RoleChoice chosen={member.role} />
    </FormDialog>
  );
}
