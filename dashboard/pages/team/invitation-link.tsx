// The link of an invitation, shown once.

import type { InvitedBody } from '../../../src/http/dashboard/api-types.ts';
import { Dialog } from '../../components/dialog.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { formatTime } from '../../components/time.tsx';

export function InvitationLink({ member, onClose }: { readonly member: InvitedBody; readonly onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Invitation created"
      description={`Send this link to ${member.email}. It works once, until ${formatTime(member.link_expires_at)}.`}
    >
      <SecretOnce
        label="invitation link"
        secret={member.link}
        warning="Whoever has the link can join in this person’s place, so send it in a way that only they can read. It is not shown again; you can make a new one."
        onDone={onClose}
      />
    </Dialog>
  );
}
