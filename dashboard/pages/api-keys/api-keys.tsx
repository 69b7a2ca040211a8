// API keys: the list of the current mode, and what can be done with a key.

import { useState } from 'react';
import type { ApiKeyBody } from '../../../src/http/dashboard/api-types.ts';
import { useList } from '../../api/queries.ts';
import { useScope } from '../../api/scope.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import type { Column } from '../../components/data-table.tsx';
import { Icon } from '../../components/icon.tsx';
import { ListView } from '../../components/list-view.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { CreateKey } from './create-key.tsx';
import { RevokeKey } from './revoke-key.tsx';
import { RollKey } from './roll-key.tsx';

type Shown = { readonly action: 'create' } | { readonly action: 'roll' | 'revoke'; readonly key: ApiKeyBody };

export function ApiKeys() {
  const [shown, show] = useState<Shown | null>(null);
  const keys = useList<ApiKeyBody>('/api-keys');
  const close = () => show(null);
  return (
    <>
      <PageHead title="API keys">
        <Button look="primary" onClick={() => show({ action: 'create' })}>
          <Icon name="plus" />
          Create key
        </Button>
      </PageHead>
      <ListView
        label="API keys"
        list={keys}
        columns={columnsWith((action, key) => show({ action, key }))}
        empty={<NoKeys />}
        stacked
      />
      {shown?.action === 'create' && <CreateKey onClose={close} />}
      {shown?.action === 'roll' && <RollKey apiKey={shown.key} onClose={close} />}
      {shown?.action === 'revoke' && <RevokeKey apiKey={shown.key} onClose={close} />}
    </>
  );
}

function NoKeys() {
  const mode = useScope()?.mode ?? 'test';
  return (
    <EmptyState icon="developers" title={`No API keys in ${mode} mode`}>
      Your server needs a key to create checkout sessions and to look payments up.
    </EmptyState>
  );
}

function columnsWith(act: (action: 'roll' | 'revoke', key: ApiKeyBody) => void): readonly Column<ApiKeyBody>[] {
  return [
    {
      key: 'name',
      label: 'Name',
      flexible: true,
      expect: 16,
      cell: (key) => <span className="row-title">{key.name ?? 'Unnamed key'}</span>,
    },
    { key: 'key', label: 'Key', expect: 8, cell: ({ last_four: end }) => <code>…{end}</code> },
    { key: 'status', label: 'Status', expect: 8, cell: (key) => <KeyStatus apiKey={key} /> },
    {
      key: 'used',
      label: 'Last used',
      hideBelow: 'tablet',
      expect: 16,
      cell: ({ last_used_at: at }) => (at === null ? 'Never' : <Time at={at} />),
    },
    {
      key: 'created',
      label: 'Created',
      hideBelow: 'desktop',
      expect: 16,
      cell: ({ created_at: at }) => <Time at={at} />,
    },
    {
      key: 'actions',
      label: 'Actions',
      hideLabel: true,
      align: 'right',
      expect: 12,
      cell: (key) =>
        key.status === 'active' && (
          <span className="row-actions">
            {key.expires_at === null && (
              <Button small onClick={() => act('roll', key)}>
                Roll
              </Button>
            )}
            <Button small onClick={() => act('revoke', key)}>
              Revoke
            </Button>
          </span>
        ),
    },
  ];
}

function KeyStatus({ apiKey: { status, expires_at: ends } }: { readonly apiKey: ApiKeyBody }) {
  if (status === 'revoked') return <Badge>Revoked</Badge>;
  if (status === 'expired') return <Badge>Ended</Badge>;
  if (ends === null) return <Badge tone="good">Active</Badge>;
  return (
    <Badge tone="warn">
      Ends <Time at={ends} />
    </Badge>
  );
}
