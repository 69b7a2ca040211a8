// Webhook endpoints: each with its health over the last 24 hours, its actions and its failed deliveries.

import { useState } from 'react';
import type { WebhookEndpointBody } from '../../../src/http/dashboard/api-types.ts';
import { useList } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../components/states.tsx';
import { AddEndpoint } from './add-endpoint.tsx';
import { Endpoint } from './endpoint.tsx';

export function Webhooks() {
  const [adding, setAdding] = useState(false);
  return (
    <>
      <PageHead title="Webhooks">
        <Button look="primary" onClick={() => setAdding(true)}>
          <Icon name="plus" />
          Add endpoint
        </Button>
      </PageHead>
      <Endpoints />
      {adding && <AddEndpoint onClose={() => setAdding(false)} />}
    </>
  );
}

function Endpoints() {
  const list = useList<WebhookEndpointBody>('/webhook-endpoints');
  const endpoints = list.data?.pages.flatMap(({ data }) => data);
  if (endpoints === undefined && list.isError)
    return <ErrorState error={list.error} onRetry={list.refetch} retrying={list.isFetching} />;
  if (endpoints === undefined) return <LoadingEndpoint />;
  if (endpoints.length === 0) {
    return (
      <EmptyState icon="developers" title="No endpoints yet">
        Paydesk tells your server by a signed request when a payment succeeds or fails, and repeats it until it arrives.
        Add the address of your server that accepts them.
      </EmptyState>
    );
  }
  return (
    <div className="stack">
      {endpoints.map((endpoint) => (
        <Endpoint key={endpoint.id} endpoint={endpoint} />
      ))}
      {list.hasNextPage && <LoadMore of="webhook endpoints" pages={list} shown={endpoints.length} />}
    </div>
  );
}

function LoadingEndpoint() {
  return (
    <div className="card stack">
      <Loading label="Loading endpoints" />
      {[30, 22, 26].map((width) => (
        <Skeleton key={width} width={width} />
      ))}
    </div>
  );
}
