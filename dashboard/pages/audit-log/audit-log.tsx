// Audit log: who did what, when, and from where.

import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { AuditEntryBody } from '../../../src/http/dashboard/api-types.ts';
import { addressOf } from '../../api/client.ts';
import { useList } from '../../api/queries.ts';
import { buttonClass } from '../../components/button.tsx';
import type { Column } from '../../components/data-table.tsx';
import { Select } from '../../components/field.tsx';
import { Icon } from '../../components/icon.tsx';
import { ListView } from '../../components/list-view.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { actionText, knownActions } from './action-words.ts';
import { Actor } from './actor.tsx';
import { EntryDetails } from './entry-details.tsx';

const route = getRouteApi('/signed-in/audit-log');

interface Filter {
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
}

export function AuditLog() {
  const { actor, action } = route.useSearch();
  const entries = useList<AuditEntryBody>('/audit-log', { actor, action });
  return (
    <>
      <PageHead title="Audit log">
        <a href={addressOf('/audit-log/export', { actor, action })} download className={buttonClass('plain')}>
          <Icon name="download" />
          Export
        </a>
      </PageHead>
      <Filters actor={actor} action={action} />
      <ListView label="Audit log" list={entries} columns={columns} empty={<NoEntries />} stacked />
    </>
  );
}

function Filters({ actor, action }: Filter) {
  const navigate = useNavigate();
  return (
    <div className="filters">
      <Select
        label="Action"
        value={action ?? ''}
        onChange={({ currentTarget: { value } }) =>
          navigate({
            to: '/audit-log',
            search: { ...(actor === undefined ? {} : { actor }), ...(value === '' ? {} : { action: value }) },
          })
        }
      >
        <option value="">All actions</option>
        {knownActions.map((one) => (
          <option key={one} value={one}>
            {actionText(one)}
          </option>
        ))}
      </Select>
      {actor !== undefined && (
        <p className="live-tail">
          Only by <code>{actor}</code>.{' '}
          <Link to="/audit-log" search={action === undefined ? {} : { action }}>
            Show everybody
          </Link>
        </p>
      )}
    </div>
  );
}

function NoEntries() {
  return (
    <EmptyState icon="audit" title="No entries">
      What members of the team, API keys and whoever runs Paydesk change is recorded here.{' '}
      <Link to="/audit-log">Show all entries</Link>
    </EmptyState>
  );
}

const columns: readonly Column<AuditEntryBody>[] = [
  {
    key: 'action',
    label: 'What',
    flexible: true,
    expect: 22,
    cell: (entry) => <EntryDetails entry={entry} />,
  },
  { key: 'actor', label: 'Who', expect: 20, cell: (entry) => <Actor entry={entry} /> },
  {
    key: 'from',
    label: 'From',
    hideBelow: 'tablet',
    expect: 12,
    cell: ({ ip }) => (ip === null ? '–' : <span className="number">{ip}</span>),
  },
  {
    key: 'at',
    label: 'When',
    align: 'right',
    expect: 18,
    cell: ({ created_at: at }) => <Time at={at} precision="seconds" />,
  },
];
