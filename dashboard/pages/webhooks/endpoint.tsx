// One endpoint: where it is, how it does, and what can be done with it.

import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { WebhookEndpointBody } from '../../../src/http/dashboard/api-types.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { CopyId } from '../../components/copy-id.tsx';
import { Details } from '../../components/details.tsx';
import { Time } from '../../components/time.tsx';
import { DeleteEndpoint } from './delete-endpoint.tsx';
import { EditEndpoint } from './edit-endpoint.tsx';
import { FailedDeliveries } from './failed-deliveries.tsx';
import { Health } from './health.tsx';
import { RotateSecret } from './rotate-secret.tsx';
import { SendTest } from './send-test.tsx';
import { SwitchEndpoint } from './switch-endpoint.tsx';

type Shown = 'edit' | 'rotate' | 'switch' | 'delete';

export function Endpoint({ endpoint }: { readonly endpoint: WebhookEndpointBody }) {
  const [shown, show] = useState<Shown | null>(null);
  const [testEvent, setTestEvent] = useState<string | null>(null);
  const close = () => show(null);
  const { url, disabled } = endpoint;
  return (
    <section className="card stack" aria-label={`Endpoint ${url}`}>
      <div className="endpoint-head">
        <h2 className="endpoint-url">{url}</h2>
        <EndpointStatus endpoint={endpoint} />
      </div>
      <Health health={endpoint.health} />
      <Details facts={factsOf(endpoint)} />
      <div className="cluster">
        {!disabled && <SendTest endpoint={endpoint} onSent={setTestEvent} />}
        <Button small onClick={() => show('edit')}>
          Edit
        </Button>
        <Button small onClick={() => show('rotate')}>
          Rotate secret
        </Button>
        <Button small onClick={() => show('switch')}>
          {disabled ? 'Enable' : 'Disable'}
        </Button>
        <Button small onClick={() => show('delete')}>
          Delete
        </Button>
        {testEvent !== null && (
          <Link to="/developers/events" search={{ id: testEvent }}>
            View test event
          </Link>
        )}
      </div>
      <FailedDeliveries endpoint={endpoint} />
      {shown === 'edit' && <EditEndpoint endpoint={endpoint} onClose={close} />}
      {shown === 'rotate' && <RotateSecret endpoint={endpoint} onClose={close} />}
      {shown === 'switch' && <SwitchEndpoint endpoint={endpoint} onClose={close} />}
      {shown === 'delete' && <DeleteEndpoint endpoint={endpoint} onClose={close} />}
    </section>
  );
}

function EndpointStatus({ endpoint: { disabled_reason: reason } }: { readonly endpoint: WebhookEndpointBody }) {
  if (reason === null) return <Badge tone="good">Enabled</Badge>;
  return reason === 'gone' ? <Badge tone="bad">Gone (410)</Badge> : <Badge>Disabled</Badge>;
}

function factsOf(endpoint: WebhookEndpointBody) {
  const { id, description, enabled_events: events, created_at: created, next_secret_activates_at: next } = endpoint;
  return [
    description === null ? null : { name: 'Description', value: description },
    { name: 'Events', value: <EventTypes types={events} /> },
    { name: 'ID', value: <CopyId id={id} /> },
    next === null ? null : { name: 'New secret signs from', value: <Time at={next} /> },
    { name: 'Added', value: <Time at={created} /> },
  ];
}

function EventTypes({ types }: { readonly types: readonly string[] }) {
  return (
    <span className="event-types">
      {types.map((type) => (
        <code key={type}>{type}</code>
      ))}
    </span>
  );
}
