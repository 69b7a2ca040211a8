// Checkout sessions: the list, with its status in the address bar.

import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { CheckoutSessionBody } from '../../../src/http/dashboard/api-types.ts';
import { useList } from '../../api/queries.ts';
import { useMay } from '../../api/use-membership.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { CopyId } from '../../components/copy-id.tsx';
import type { Column } from '../../components/data-table.tsx';
import { Icon } from '../../components/icon.tsx';
import { ListView } from '../../components/list-view.tsx';
import { Money } from '../../components/money.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { EmptyState } from '../../components/states.tsx';
import { StatusTabs } from '../../components/status-tabs.tsx';
import { Time } from '../../components/time.tsx';
import { CreateSession } from './create-session.tsx';
import { SessionStatus, sessionStatuses } from './session-status.tsx';

const route = getRouteApi('/signed-in/checkout-sessions');

export function CheckoutSessions() {
  const { status } = route.useSearch();
  const mayCreate = useMay('operate');
  const [creating, setCreating] = useState(false);
  const sessions = useList<CheckoutSessionBody>('/checkout-sessions', { status });
  const create = mayCreate && (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Icon name="plus" />
      Create session
    </Button>
  );
  return (
    <>
      <PageHead title="Checkout sessions">{create}</PageHead>
      <StatusTabs label="Status of checkout sessions" statuses={sessionStatuses} status={status}>
        <ListView
          label="Checkout sessions"
          list={sessions}
          columns={columns}
          empty={<NoSessions status={status} mayCreate={mayCreate} />}
        />
      </StatusTabs>
      {creating && <CreateSession onClose={() => setCreating(false)} />}
    </>
  );
}

function NoSessions({ status, mayCreate }: { readonly status: string | undefined; readonly mayCreate: boolean }) {
  if (status !== undefined) {
    return (
      <EmptyState
        icon="sessions"
        title="No checkout sessions with this status"
        action={
          <Link to="/checkout-sessions" className={buttonClass()}>
            Show all checkout sessions
          </Link>
        }
      >
        Choose another status, or look at all of them.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="sessions" title="No checkout sessions yet">
      A checkout session is one purchase.{' '}
      {mayCreate
        ? 'Choose “Create session” above, or create one with the API, and send its link to your customer.'
        : 'They appear here as soon as your shop, an owner or a developer creates one.'}
    </EmptyState>
  );
}

const none = <span className="faint">–</span>;

const columns: readonly Column<CheckoutSessionBody>[] = [
  {
    key: 'amount',
    label: 'Amount',
    align: 'right',
    expect: 9,
    cell: ({ id, amount, currency }) => (
      <Link to="/checkout-sessions/$id" params={{ id }} data-row-link="">
        <Money amount={amount} currency={currency} strong />
      </Link>
    ),
  },
  { key: 'status', label: 'Status', expect: 9, cell: ({ status }) => <SessionStatus status={status} /> },
  {
    key: 'description',
    label: 'Description',
    flexible: true,
    hideBelow: 'phone',
    expect: 24,
    cell: ({ description, line_items: items }) => description ?? items?.map(({ name }) => name).join(', ') ?? none,
  },
  {
    key: 'customer',
    label: 'Customer',
    hideBelow: 'desktop',
    expect: 18,
    cell: ({ customer_details: customer }) => customer?.email ?? none,
  },
  { key: 'id', label: 'Session', hideBelow: 'tablet', expect: 28, cell: ({ id }) => <CopyId id={id} /> },
  { key: 'created', label: 'Created', expect: 13, align: 'right', cell: ({ created_at: at }) => <Time at={at} /> },
];
