// Events: the list, filtered by type in the address bar, and one event with its deliveries.

import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { EventBody } from '../../../src/http/dashboard/api-types.ts';
import { useList } from '../../api/queries.ts';
import { CopyId } from '../../components/copy-id.tsx';
import type { Column } from '../../components/data-table.tsx';
import { Select } from '../../components/field.tsx';
import { ListView } from '../../components/list-view.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { furtherEvents, testEvent, usualEvents } from '../webhooks/event-types.ts';
import { EventPage } from './event-page.tsx';
import { SubjectLink } from './subject-link.tsx';

const route = getRouteApi('/signed-in/developers/events');

export function Events() {
  const { id, type } = route.useSearch();
  return id === undefined ? <EventList type={type} /> : <EventPage id={id} />;
}

function EventList({ type }: { readonly type: string | undefined }) {
  const events = useList<EventBody>('/events', { type });
  return (
    <>
      <PageHead title="Events" />
      <TypeFilter type={type} />
      <ListView
        label="Events"
        list={events}
        columns={columns}
        empty={type === undefined ? <NoEvents /> : <NoneOfType />}
        stacked
      />
    </>
  );
}

function TypeFilter({ type }: { readonly type: string | undefined }) {
  const navigate = useNavigate();
  return (
    <div className="filters">
      <Select
        label="Type"
        value={type ?? ''}
        onChange={({ currentTarget: { value } }) =>
          navigate({ to: '/developers/events', search: value === '' ? {} : { type: value } })
        }
      >
        <option value="">All types</option>
        {[...usualEvents, ...furtherEvents, testEvent].map((one) => (
          <option key={one}>{one}</option>
        ))}
      </Select>
    </div>
  );
}

function NoEvents() {
  return (
    <EmptyState icon="developers" title="No events yet">
      Whatever happens to a payment is an event: it appears here, and is sent to your{' '}
      <Link to="/developers/webhooks">webhook endpoints</Link>.
    </EmptyState>
  );
}

function NoneOfType() {
  return (
    <EmptyState icon="developers" title="No events of this type">
      <Link to="/developers/events">Show all events</Link>
    </EmptyState>
  );
}

const columns: readonly Column<EventBody>[] = [
  {
    key: 'type',
    label: 'Type',
    flexible: true,
    expect: 26,
    cell: ({ id, type }) => (
      <Link to="/developers/events" search={{ id }} data-row-link="">
        <code>{type}</code>
      </Link>
    ),
  },
  { key: 'about', label: 'About', hideBelow: 'tablet', expect: 28, cell: ({ data }) => <SubjectLink subject={data} /> },
  { key: 'id', label: 'ID', hideBelow: 'desktop', expect: 30, cell: ({ id }) => <CopyId id={id} /> },
  {
    key: 'at',
    label: 'Time',
    align: 'right',
    expect: 18,
    cell: ({ created_at: at }) => <Time at={at} precision="seconds" />,
  },
];
