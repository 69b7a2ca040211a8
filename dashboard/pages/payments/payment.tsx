// One payment: what it is, what belongs to it, what happened, and what can be done.

import { Link, useParams } from '@tanstack/react-router';
import { useObject } from '../../api/queries.ts';
import type { PaymentDetail } from '../../api/types.ts';
import { Badge } from '../../components/badge.tsx';
import { CopyId } from '../../components/copy-id.tsx';
import { customerFacts } from '../../components/customer-facts.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Card, Details } from '../../components/details.tsx';
import { formatMoney, Money } from '../../components/money.tsx';
import { BackLink, MissingObject } from '../../components/object-view.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Loading, OutdatedNotice, Skeleton } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { PaymentActions } from './payment-actions.tsx';
import { declineText, methodText, paymentState, spaced } from './payment-words.ts';
import { Timeline } from './timeline.tsx';

const payments = { to: '/payments', label: 'Payments' } as const;

export function Payment() {
  const { id } = useParams({ from: '/signed-in/payments/$id' });
  const found = useObject<PaymentDetail>(`/payments/${encodeURIComponent(id)}`);
  const payment = found.data;
  if (payment === undefined && found.isError) return <MissingObject object={found} kind="Payment" list={payments} />;
  return (
    <>
      <PageHead
        before={<BackLink {...payments} />}
        windowTitle={payment === undefined ? 'Payment' : `${formatMoney(payment.amount, payment.currency)} payment`}
        title={<Title payment={payment} />}
      >
        {payment !== undefined && <PaymentActions payment={payment} />}
      </PageHead>
      {payment === undefined && <Loading label="Loading the payment" />}
      <OutdatedNotice of={found} />
      <div className="payment-id">
        <CopyId id={id} />
      </div>
      <div className="payment">
        <div className="stack">
          <Facts payment={payment} />
          {payment !== undefined && <Metadata payment={payment} />}
        </div>
        <div className="stack payment-history">
          <Timeline payment={payment} />
          {payment !== undefined && <LineItems payment={payment} />}
          {payment !== undefined && <Refunds payment={payment} />}
        </div>
      </div>
    </>
  );
}

function Title({ payment }: { readonly payment: PaymentDetail | undefined }) {
  if (payment === undefined) return <Skeleton width={14} />;
  const { label, tone } = paymentState(payment);
  return (
    <span className="payment-title">
      <Money amount={payment.amount} currency={payment.currency} />
      <Badge tone={tone}>{label}</Badge>
      {payment.disputes.length > 0 && <Badge tone="bad">Disputed</Badge>}
    </span>
  );
}

const factNames = [
  'Customer',
  'Description',
  'Method',
  'Created',
  'Amount',
  'Captured',
  'Provider',
  'Provider reference',
  'Checkout session',
];

function Facts({ payment }: { readonly payment: PaymentDetail | undefined }) {
  if (payment === undefined)
    return (
      <Card title="Details">
        <Details facts={factNames.map((name) => ({ name, value: <Skeleton width={16} /> }))} />
      </Card>
    );
  const { currency, last_payment_error: error, capture_before: captureBefore } = payment;
  const none = <span className="faint">None</span>;
  return (
    <Card title="Details">
      <Details
        facts={[
          { name: 'Customer', value: payment.customer.email ?? none },
          ...customerFacts(payment.customer),
          { name: 'Description', value: payment.description ?? none },
          { name: 'Method', value: methodText(payment.payment_method) ?? none },
          { name: 'Created', value: <Time at={payment.created_at} precision="seconds" /> },
          { name: 'Amount', value: <Money amount={payment.amount} currency={currency} /> },
          { name: 'Captured', value: <Money amount={payment.amount_captured} currency={currency} /> },
          payment.amount_refunded === 0
            ? null
            : { name: 'Refunded', value: <Money amount={payment.amount_refunded} currency={currency} /> },
          captureBefore === null ? null : { name: 'Capture before', value: <Time at={captureBefore} /> },
          error === null
            ? null
            : {
                name: 'Last decline',
                value: <span title={error.message}>{declineText(error.decline_code ?? error.code)}</span>,
              },
          payment.cancellation_reason === null
            ? null
            : { name: 'Cancellation reason', value: spaced(payment.cancellation_reason) },
          { name: 'Provider', value: payment.acquirer === null ? none : spaced(payment.acquirer.provider) },
          {
            name: 'Provider reference',
            value: payment.provider_reference === null ? none : <CopyId id={payment.provider_reference} />,
          },
          {
            name: 'Checkout session',
            value: (
              <Link to="/checkout-sessions/$id" params={{ id: payment.checkout_session }}>
                <code>{payment.checkout_session}</code>
              </Link>
            ),
          },
          payment.payment_link === null
            ? null
            : {
                name: 'Payment link',
                value: (
                  <Link to="/payment-links/$id" params={{ id: payment.payment_link }}>
                    <code>{payment.payment_link}</code>
                  </Link>
                ),
              },
        ]}
      />
    </Card>
  );
}

function Metadata({ payment }: { readonly payment: PaymentDetail }) {
  const entries = Object.entries(payment.metadata);
  return (
    <Card title="Metadata">
      {entries.length === 0 ? (
        <p className="faint">None. Your shop can store an order number here when it creates the session.</p>
      ) : (
        <Details facts={entries.map(([name, value]) => ({ name, value: String(value) }))} />
      )}
    </Card>
  );
}

type LineItem = NonNullable<PaymentDetail['line_items']>[number];

function LineItems({ payment: { line_items: items, currency } }: { readonly payment: PaymentDetail }) {
  if (items === null || items.length === 0) return null;
  const rows = items.map((item, index) => ({ ...item, key: String(index) }));
  const columns: readonly Column<LineItem & { readonly key: string }>[] = [
    { key: 'name', label: 'Item', flexible: true, cell: ({ name }) => name },
    { key: 'quantity', label: 'Quantity', align: 'right', cell: ({ quantity }) => quantity.toLocaleString() },
    {
      key: 'unit',
      label: 'Unit price',
      align: 'right',
      hideBelow: 'phone',
      cell: ({ unit_amount: amount }) => <Money amount={amount} currency={currency} />,
    },
    {
      key: 'total',
      label: 'Total',
      align: 'right',
      cell: ({ unit_amount: amount, quantity }) => <Money amount={amount * quantity} currency={currency} />,
    },
  ];
  return (
    <Card title="Line items">
      <DataTable label="Line items" columns={columns} rows={rows} rowKey={({ key }) => key} />
    </Card>
  );
}

const refundTones = { succeeded: 'good', failed: 'bad', pending: 'busy' } as const;

const refundColumns: readonly Column<PaymentDetail['refunds'][number]>[] = [
  {
    key: 'amount',
    label: 'Amount',
    align: 'right',
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} strong />,
  },
  { key: 'status', label: 'Status', cell: ({ status }) => <Badge tone={refundTones[status]}>{spaced(status)}</Badge> },
  {
    key: 'reason',
    label: 'Reason',
    flexible: true,
    cell: ({ reason }) => reason ?? <span className="faint">None</span>,
  },
  { key: 'date', label: 'Date', hideBelow: 'phone', cell: ({ created_at: at }) => <Time at={at} /> },
  { key: 'id', label: 'ID', hideBelow: 'desktop', cell: ({ id }) => <CopyId id={id} /> },
];

function Refunds({ payment: { refunds } }: { readonly payment: PaymentDetail }) {
  if (refunds.length === 0) return null;
  return (
    <Card title="Refunds">
      <DataTable label="Refunds" columns={refundColumns} rows={refunds} rowKey={({ id }) => id} />
    </Card>
  );
}
