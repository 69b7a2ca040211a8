// Team: who works for the merchant, with which role.

import { useState } from 'react';
import type { InvitedBody, MemberBody, TeamBody } from '../../../src/http/dashboard/api-types.ts';
import { useObject } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Icon } from '../../components/icon.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { ErrorState } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { ChangeRole } from './change-role.tsx';
import { InvitationLink } from './invitation-link.tsx';
import { InviteMember } from './invite-member.tsx';
import { RemoveMember } from './remove-member.tsx';
import { RenewLink } from './renew-link.tsx';
import { RequireSecondFactor } from './require-second-factor.tsx';
import { roleNames } from './role-words.ts';

type Action = 'role' | 'remove' | 'link';
type Shown =
  | { readonly action: 'invite' }
  | { readonly action: 'invited'; readonly member: InvitedBody }
  | { readonly action: Action; readonly member: MemberBody };

export function Team() {
  const [shown, show] = useState<Shown | null>(null);
  const team = useObject<TeamBody>('/team');
  const { user } = useSession();
  const close = () => show(null);
  const invited = (member: InvitedBody) => show({ action: 'invited', member });
  return (
    <>
      <PageHead title="Team">
        <Button look="primary" onClick={() => show({ action: 'invite' })}>
          <Icon name="plus" />
          Invite member
        </Button>
      </PageHead>
      {team.isError && team.data === undefined ? (
        <ErrorState error={team.error} onRetry={team.refetch} retrying={team.isFetching} />
      ) : (
        <div className="stack">
          <DataTable
            label="Team"
            columns={columnsWith(user.id, (action, member) => show({ action, member }))}
            rows={team.data?.data}
            rowKey={({ id }) => id}
            loadingRows={3}
            stacked
          />
          {team.data !== undefined && <RequireSecondFactor required={team.data.require_second_factor} />}
        </div>
      )}
      {shown?.action === 'invite' && <InviteMember onInvited={invited} onClose={close} />}
      {shown?.action === 'invited' && <InvitationLink member={shown.member} onClose={close} />}
      {shown?.action === 'role' && <ChangeRole member={shown.member} onClose={close} />}
      {shown?.action === 'remove' && <RemoveMember member={shown.member} onClose={close} />}
      {shown?.action === 'link' && <RenewLink member={shown.member} onRenewed={invited} onClose={close} />}
    </>
  );
}

function columnsWith(self: string, act: (action: Action, member: MemberBody) => void): readonly Column<MemberBody>[] {
  return [
    {
      key: 'email',
      label: 'Member',
      flexible: true,
      expect: 24,
      cell: ({ id, name, email }) => (
        <span className="member">
          <span className="row-title">
            {name ?? email}
            {id === self && ' (you)'}
          </span>
          {name !== null && <span className="faint">{email}</span>}
        </span>
      ),
    },
    { key: 'role', label: 'Role', expect: 9, cell: ({ role }) => roleNames[role] },
    {
      key: 'status',
      label: 'Status',
      expect: 8,
      cell: (member) => <MemberStatus member={member} />,
    },
    {
      key: 'factor',
      label: 'Second factor',
      expect: 4,
      hideBelow: 'tablet',
      cell: ({ second_factor: on }) => (on ? 'On' : 'Off'),
    },
    {
      key: 'since',
      label: 'Since',
      expect: 12,
      hideBelow: 'desktop',
      cell: ({ created_at: at }) => <Time at={at} precision="date" />,
    },
    {
      key: 'actions',
      label: 'Actions',
      hideLabel: true,
      align: 'right',
      expect: 18,
      cell: (member) => (
        <span className="row-actions">
          {member.status === 'invited' && (
            <Button small onClick={() => act('link', member)}>
              New link
            </Button>
          )}
          {/* Users change their own under their account. */}
          {member.status === 'active' && member.id !== self && (
            <Button small onClick={() => act('link', member)}>
              Reset password
            </Button>
          )}
          <Button small onClick={() => act('role', member)}>
            Change role
          </Button>
          <Button small onClick={() => act('remove', member)}>
            Remove
          </Button>
        </span>
      ),
    },
  ];
}

function MemberStatus({ member: { status } }: { readonly member: MemberBody }) {
  if (status === 'active') return <Badge tone="good">Active</Badge>;
  return status === 'invited' ? <Badge tone="busy">Invited</Badge> : <Badge tone="bad">Disabled</Badge>;
}
