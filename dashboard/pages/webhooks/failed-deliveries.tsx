// What could not be delivered to an endpoint, to be resent one by one or all.

import { Link } from '@tanstack/react-router';
import type { DeliveryBody, WebhookEndpointBody } from '../../../src/http/dashboard/api-types.ts';
import { useList } from '../../api/queries.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { ErrorState } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { attemptText } from '../events/attempt-words.ts';
import { ResendEvent } from '../events/resend-event.tsx';
import { ResendAll } from './resend-all.tsx';

/** A page of the list. */
const maxExpected = 20;

export function FailedDeliveries({ endpoint }: { readonly endpoint: WebhookEndpointBody }) {
  const list = useList<DeliveryBody>(`/webhook-endpoints/${endpoint.id}/deliveries`, { status: 'failed' });
  const failed = list.data?.pages.flatMap(({ data }) => data);
  if (failed === undefined && list.isError)
    return <ErrorState error={list.error} onRetry={list.refetch} retrying={list.isFetching} />;
  // While they load, there is room for as many as are known, so that the endpoints below do not jump.
  const expected = Math.min(endpoint.health.failed, maxExpected);
  if ((failed?.length ?? expected) === 0) return null;
  return (
    <div className="stack">
      <div className="card-head">
        <h3 className="card-title">Failed deliveries</h3>
        {!endpoint.disabled && <ResendAll endpoint={endpoint} />}
      </div>
      <DataTable
        label={`Failed deliveries of ${endpoint.url}`}
        columns={endpoint.disabled ? columns : [...columns, resendColumn]}
        rows={failed}
        loadingRows={expected}
        rowKey={({ id }) => id}
        stacked
      />
      {failed !== undefined && list.hasNextPage && <LoadMore of="deliveries" pages={list} shown={failed.length} />}
    </div>
  );
}

const columns: readonly Column<DeliveryBody>[] = [
  {
    key: 'event',
    label: 'Event',
    cell: ({ event: id }) => (
      <Link to="/developers/events" search={{ id }} data-row-link="">
        <code>{id}</code>
      </Link>
    ),
  },
  {
    key: 'answer',
    label: 'Last answer',
    flexible: true,
    cell: ({ attempts }) => {
      const text = attemptText(attempts.at(-1));
      return <span title={text}>{text}</span>;
    },
  },
  {
    key: 'attempts',
    label: 'Attempts',
    align: 'right',
    hideBelow: 'tablet',
    cell: ({ attempts }) => <span className="number">{attempts.length}</span>,
  },
  {
    key: 'at',
    label: 'Last attempt',
    hideBelow: 'phone',
    cell: ({ attempts }) => {
      const last = attempts.at(-1);
      return last === undefined ? '–' : <Time at={last.at} />;
    },
  },
];

const resendColumn: Column<DeliveryBody> = {
  key: 'resend',
  label: 'Actions',
  hideLabel: true,
  align: 'right',
  cell: ({ event, endpoint }) => <ResendEvent id={event} endpoint={endpoint} small />,
};
