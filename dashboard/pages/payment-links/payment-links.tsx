// Payment links: the list, with its status in the address bar.

import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { PaymentLinkBody } from '../../../src/http/dashboard/api-types.ts';
import { useList } from '../../api/queries.ts';
import { useMay } from '../../api/use-membership.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-id.tsx';
import type { Column } from '../../components/data-table.tsx';
import { Icon } from '../../components/icon.tsx';
import { ListView } from '../../components/list-view.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { EmptyState } from '../../components/states.tsx';
import { StatusTabs } from '../../components/status-tabs.tsx';
import { Time } from '../../components/time.tsx';
import { CreateLink } from './create-link.tsx';
import { LinkStatus, linkStatuses, paidText, priceOf } from './link-status.tsx';

const route = getRouteApi('/signed-in/payment-links');

export function PaymentLinks() {
  const { status } = route.useSearch();
  const mayCreate = useMay('operate');
  const [creating, setCreating] = useState(false);
  const links = useList<PaymentLinkBody>('/payment-links', { status });
  const create = mayCreate && (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Icon name="plus" />
      Create payment link
    </Button>
  );
  return (
    <>
      <PageHead title="Payment links">{create}</PageHead>
      <StatusTabs label="Status of payment links" statuses={linkStatuses} status={status}>
        <ListView
          label="Payment links"
          list={links}
          columns={columns}
          empty={<NoLinks status={status} mayCreate={mayCreate} />}
        />
      </StatusTabs>
      {creating && <CreateLink onClose={() => setCreating(false)} />}
    </>
  );
}

function NoLinks({ status, mayCreate }: { readonly status: string | undefined; readonly mayCreate: boolean }) {
  if (status !== undefined) {
    return (
      <EmptyState
        icon="links"
        title="No payment links with this status"
        action={
          <Link to="/payment-links" className={buttonClass()}>
            Show all payment links
          </Link>
        }
      >
        Choose another status, or look at all of them.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="links" title="No payment links yet">
      {mayCreate
        ? 'Sell without a website: choose “Create payment link” above, send the link by e-mail or chat, or print its QR code.'
        : 'They appear here as soon as an owner or a developer creates one.'}
    </EmptyState>
  );
}

const columns: readonly Column<PaymentLinkBody>[] = [
  {
    key: 'description',
    label: 'Description',
    flexible: true,
    expect: 24,
    cell: ({ id, description, line_items: items }) => (
      <Link to="/payment-links/$id" params={{ id }} data-row-link="" className="row-title">
        {description ?? items?.map(({ name }) => name).join(', ') ?? 'Payment link'}
      </Link>
    ),
  },
  {
    key: 'price',
    label: 'Price',
    align: 'right',
    expect: 9,
    cell: (link) => (link.amount === null ? 'Any amount' : priceOf(link)),
  },
  { key: 'status', label: 'Status', expect: 8, cell: ({ status }) => <LinkStatus status={status} /> },
  { key: 'paid', label: 'Paid', align: 'right', hideBelow: 'phone', expect: 4, cell: paidText },
  {
    key: 'created',
    label: 'Created',
    align: 'right',
    hideBelow: 'tablet',
    expect: 13,
    cell: ({ created_at: at }) => <Time at={at} />,
  },
  {
    key: 'copy',
    label: 'Link',
    hideLabel: true,
    align: 'right',
    hideBelow: 'phone',
    expect: 9,
    cell: ({ url, description }) => (
      <CopyButton text={url} words="Copy link" label={`Copy link of ${description ?? url}`} />
    ),
  },
];
