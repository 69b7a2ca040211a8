// The link of an invitation, or to choose a new password, shown once.

import type { InvitedBody } from '../../../src/http/dashboard/api-types.ts';
import { Dialog } from '../../components/dialog.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { formatTime } from '../../components/time.tsx';

const invitation = {
  title: 'Invitation created',
  label: 'invitation link',
  danger: 'can join in this person’s place',
};
const newPassword = {
  title: 'Password reset link created',
  label: 'password link',
  danger: 'can choose this person’s password',
};

export function InvitationLink({ member, onClose }: { readonly member: InvitedBody; readonly onClose: () => void }) {
  const { title, label, danger } = member.status === 'invited' ? invitation : newPassword;
  return (
    <Dialog
      open
      stays
      onOpenChange={onClose}
      title={title}
      description={`Send this link to ${member.email}. It works once, until ${formatTime(member.link_expires_at)}.`}
    >
      <SecretOnce
        label={label}
        secret={member.link}
        warning={`Whoever has the link ${danger}, so send it in a way that only they can read. It is not shown again; you can make a new one.`}
        onDone={onClose}
      />
    </Dialog>
  );
}
