// Removes a member from the merchant's team.

import type { MemberBody } from '../../../src/http/dashboard/api-types.ts';
import { remove } from '../../api/client.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';

export function RemoveMember({ member, onClose }: { readonly member: MemberBody; readonly onClose: () => void }) {
  return (
    <ConfirmDialog
      title="Remove member"
      text={`${member.email} loses access to this merchant at once. What they did stays in the audit log.`}
      submit="Remove"
      act={() => remove(`/team/${member.id}`)}
      refreshes={['/team']}
      done={`${member.email} is no longer in the team.`}
      onClose={onClose}
    />
  );
}
