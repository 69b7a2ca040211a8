// One event: what was sent, and each attempt to deliver it.

import type { EventDetail } from '../../../src/http/dashboard/api-types.ts';
import { useObject } from '../../api/queries.ts';
import { Code } from '../../components/code.tsx';
import { CopyId } from '../../components/copy-id.tsx';
import { Card, Details } from '../../components/details.tsx';
import { BackLink, ObjectView } from '../../components/object-view.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Time } from '../../components/time.tsx';
import { Delivery } from './delivery.tsx';
import { ResendEvent } from './resend-event.tsx';
import { SubjectLink } from './subject-link.tsx';

const list = { to: '/developers/events', label: 'Events' } as const;

export function EventPage({ id }: { readonly id: string }) {
  const event = useObject<EventDetail>(`/events/${encodeURIComponent(id)}`);
  return (
    <ObjectView object={event} kind="Event" list={list}>
      {(detail) => <Shown detail={detail} />}
    </ObjectView>
  );
}

function Shown({ detail }: { readonly detail: EventDetail }) {
  const { event, deliveries, deliveries_has_more: hasMore } = detail;
  const { id, type, created_at: at, data } = event;
  return (
    <>
      <PageHead before={<BackLink {...list} />} windowTitle={type} title={<code>{type}</code>}>
        <ResendEvent id={id} />
      </PageHead>
      <div className="stack">
        <Card title="Details">
          <Details
            facts={[
              { name: 'ID', value: <CopyId id={id} /> },
              { name: 'Time', value: <Time at={at} precision="seconds" /> },
              { name: 'About', value: <SubjectLink subject={data} /> },
            ]}
          />
        </Card>
        <Card title="Deliveries">
          {deliveries.length === 0 ? (
            <p className="faint">No endpoint subscribed to this type when it happened.</p>
          ) : (
            <ul className="deliveries">
              {deliveries.map((delivery) => (
                <Delivery key={delivery.id} delivery={delivery} />
              ))}
            </ul>
          )}
          {hasMore && <p className="faint">Older deliveries are not shown.</p>}
        </Card>
        <Card title="Payload">
          <Code value={event} label="payload" />
        </Card>
      </div>
    </>
  );
}
