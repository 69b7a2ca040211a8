// Disputes: what customers reclaimed from their bank, and until when to respond. Evidence is given at the provider.

import { getRouteApi, Link } from '@tanstack/react-router';
import type { DisputeBody } from '../../../src/http/dashboard/api-types.ts';
import { useList } from '../../api/queries.ts';
import { Badge } from '../../components/badge.tsx';
import { buttonClass } from '../../components/button.tsx';
import { CopyButton, CopyId } from '../../components/copy-id.tsx';
import type { Column } from '../../components/data-table.tsx';
import { ListView } from '../../components/list-view.tsx';
import { Money } from '../../components/money.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { providerName } from '../../components/provider-name.ts';
import { EmptyState } from '../../components/states.tsx';
import { StatusTabs } from '../../components/status-tabs.tsx';
import { Time } from '../../components/time.tsx';
import { spaced } from '../payments/payment-words.ts';
import { Deadline } from './deadline.tsx';
import { disputeStatuses } from './dispute-statuses.ts';

const route = getRouteApi('/signed-in/disputes');

export function Disputes() {
  const { status } = route.useSearch();
  const disputes = useList<DisputeBody>('/disputes', { status });
  return (
    <>
      <PageHead title="Disputes" />
      <StatusTabs label="Status of disputes" statuses={disputeStatuses} status={status}>
        <ListView
          label="Disputes"
          list={disputes}
          columns={columns}
          empty={status === undefined ? <NoDisputes /> : <NoneWithStatus />}
        />
      </StatusTabs>
    </>
  );
}

function NoDisputes() {
  return (
    <EmptyState icon="disputes" title="No disputes">
      When a customer asks their bank to reverse a payment, it appears here with the deadline for your response. You
      give evidence in your provider’s dashboard.
    </EmptyState>
  );
}

function NoneWithStatus() {
  return (
    <EmptyState
      icon="disputes"
      title="No disputes with this status"
      action={
        <Link to="/disputes" className={buttonClass()}>
          Show all disputes
        </Link>
      }
    >
      Choose another status, or look at all of them.
    </EmptyState>
  );
}

const columns: readonly Column<DisputeBody>[] = [
  {
    key: 'amount',
    label: 'Amount',
    align: 'right',
    expect: 9,
    cell: ({ amount, currency, payment_intent: id }) => (
      <Link to="/payments/$id" params={{ id }} data-row-link="">
        <Money amount={amount} currency={currency} strong />
      </Link>
    ),
  },
  {
    key: 'status',
    label: 'Status',
    expect: 12,
    cell: ({ status }) => <Badge tone={disputeStatuses[status].tone}>{disputeStatuses[status].label}</Badge>,
  },
  {
    key: 'reason',
    label: 'Reason',
    flexible: true,
    expect: 14,
    hideBelow: 'phone',
    cell: ({ reason }) => spaced(reason),
  },
  {
    key: 'deadline',
    label: 'Respond by',
    expect: 10,
    cell: (dispute) => <Deadline dispute={dispute} />,
  },
  {
    key: 'provider',
    label: 'Provider',
    expect: 10,
    hideBelow: 'tablet',
    cell: ({ acquirer: { provider, reference } }) => (
      <span className="copy-id" title={reference}>
        {providerName(provider)}
        <CopyButton text={reference} label={`Copy ${reference}`} />
      </span>
    ),
  },
  {
    key: 'payment',
    label: 'Payment',
    expect: 28,
    hideBelow: 'desktop',
    cell: ({ payment_intent: id }) => <CopyId id={id} />,
  },
  {
    key: 'created',
    label: 'Opened',
    align: 'right',
    hideBelow: 'phone',
    expect: 8,
    cell: ({ created_at: at }) => <Time at={at} precision="date" />,
  },
];
