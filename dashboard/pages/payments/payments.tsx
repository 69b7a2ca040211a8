// The list of payments: tabs with counts, search and filters, all in the address bar, so that a view can be shared.

import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef } from 'react';
import { useList, useObject, useRefresh } from '../../api/queries.ts';
import type { ListedPayment, PaymentCountsBody, PaymentList } from '../../api/types.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import type { Column } from '../../components/data-table.tsx';
import { Icon } from '../../components/icon.tsx';
import { ListView } from '../../components/list-view.tsx';
import { Money } from '../../components/money.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { Time } from '../../components/time.tsx';
import { ExportPayments } from './export-payments.tsx';
import { FilterPopover } from './filter-popover.tsx';
import { chipsOf, filterQuery, withoutFilter } from './payment-filter.ts';
import type { PaymentSearch } from './payment-search.ts';
import { declineText, type ListedStatus, methodText, paymentState, statusNames, statusWords } from './payment-words.ts';

const pageSize = 50;

export function Payments() {
  const search = useSearch({ from: '/signed-in/payments' });
  const navigate = useNavigate({ from: '/payments' });
  const { status = 'all' } = search;
  const query = filterQuery(search);
  const { status: _, ...withoutStatus } = query;
  const counts = useObject<PaymentCountsBody>('/payments/counts', withoutStatus, { placeholder: 'previous' });
  const known = useObject<{ readonly currencies: readonly string[] }>('/home', {});

  function change(changed: { readonly [name in keyof PaymentSearch]: string | undefined }): void {
    navigate({ search: (previous) => ({ ...previous, ...changed }) as PaymentSearch, replace: true });
  }
  const tabs = (['all', ...statusNames] as const).map((name) => ({
    value: name,
    label: name === 'all' ? 'All' : statusWords(name).label,
    count: countText(counts.data, name),
  }));
  return (
    <>
      <PageHead title="Payments">
        <ExportPayments query={query} />
      </PageHead>
      <div className="list-tools">
        <SearchField value={search.q ?? ''} onChange={(q) => change({ q })} />
        <FilterPopover search={search} currencies={known.data?.currencies ?? []} onApply={change} />
      </div>
      <Chips search={search} onRemove={(name) => change(withoutFilter(name, search))} />
      <Tabs
        label="Status"
        tabs={tabs}
        value={status}
        onChange={(value) => change({ status: value === 'all' ? undefined : value })}
      >
        <Listed query={query} search={search} />
      </Tabs>
    </>
  );
}

/** Null if it is not known: the server has not answered, or has found none yet when it stopped counting. */
function countText(counts: PaymentCountsBody | undefined, name: 'all' | ListedStatus): string | null {
  if (counts === undefined) return null;
  const count = counts[name];
  if (!counts.capped_counts.includes(name)) return count.toLocaleString();
  return count === 0 ? null : `${count.toLocaleString()}+`;
}

function SearchField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (q: string | undefined) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  // The address may change by other means, such as going back.
  useEffect(() => {
    if (input.current !== null && document.activeElement !== input.current) input.current.value = value;
  }, [value]);
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    onChange(input.current?.value.trim() || undefined);
  }
  return (
    <search className="search-place">
      <form className="search" onSubmit={submit}>
        <Icon name="search" />
        <input
          ref={input}
          type="search"
          aria-label="Search payments"
          placeholder="ID, email, last 4 digits, amount, metadata or reference"
          defaultValue={value}
          maxLength={200}
          onInput={({ currentTarget }) => {
            // The browser's own button clears it.
            if (currentTarget.value === '' && value !== '') onChange(undefined);
          }}
        />
        <Button type="submit" small>
          Search
        </Button>
      </form>
    </search>
  );
}

function Chips({
  search,
  onRemove,
}: {
  readonly search: PaymentSearch;
  readonly onRemove: (name: keyof PaymentSearch) => void;
}) {
  const chips = chipsOf(search);
  if (chips.length === 0) return null;
  return (
    <ul className="chips" aria-label="Active filters">
      {chips.map(({ name, text }) => (
        <li key={name} className="chip">
          {text}
          <button
            type="button"
            className="icon-button icon-button-small"
            aria-label={`Remove filter: ${text}`}
            onClick={() => onRemove(name)}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
}

const columns: readonly Column<ListedPayment>[] = [
  {
    key: 'amount',
    label: 'Amount',
    align: 'right',
    expect: 9,
    cell: ({ id, amount, currency }) => (
      <Link to="/payments/$id" params={{ id }} data-row-link>
        <Money amount={amount} currency={currency} strong />
      </Link>
    ),
  },
  {
    key: 'status',
    label: 'Status',
    expect: 10,
    cell: (payment) => {
      const { label, tone } = paymentState(payment);
      const { last_payment_error: error } = payment;
      return (
        <span title={error === null ? undefined : declineText(error.decline_code ?? error.code)}>
          <Badge tone={tone}>{label}</Badge>
        </span>
      );
    },
  },
  {
    key: 'method',
    label: 'Method',
    hideBelow: 'tablet',
    expect: 14,
    cell: ({ payment_method: method }) => methodText(method) ?? <span className="faint">None yet</span>,
  },
  {
    key: 'description',
    label: 'Description',
    hideBelow: 'phone',
    flexible: true,
    expect: 24,
    cell: ({ description, id }) => description ?? <code className="faint">{id}</code>,
  },
  {
    key: 'customer',
    label: 'Customer',
    hideBelow: 'tablet',
    expect: 18,
    cell: ({ customer_email: email }) =>
      email === null ? <span className="faint">–</span> : <span className="cut">{email}</span>,
  },
  { key: 'date', label: 'Date', align: 'right', expect: 16, cell: ({ created_at: at }) => <Time at={at} /> },
];

/** A search may miss payments that are not indexed yet. Nothing reports when they are, so it is repeated until then. */
const searchAgainMs = 10_000;

const isIncomplete = (pages: readonly PaymentList[] = []): boolean => pages.some((page) => page.is_indexing);

function Listed({ query, search }: { readonly query: ReturnType<typeof filterQuery>; readonly search: PaymentSearch }) {
  const list = useList<ListedPayment, PaymentList>(
    '/payments',
    { ...query, limit: pageSize },
    { refetchEveryMs: (pages) => isIncomplete(pages) && searchAgainMs },
  );
  const isIndexing = isIncomplete(list.data?.pages);
  const refresh = useRefresh();
  useEffect(() => {
    if (!isIndexing) return;
    // The tabs were counted with the same index.
    return () => {
      refresh('/payments/counts');
    };
  }, [isIndexing, refresh]);
  const empty = <NoPayments isFiltered={Object.keys(search).length > 0} />;
  return (
    <>
      {isIndexing && (
        <p className="notice notice-apart" role="status">
          Older payments are still being indexed, so some may be missing. The list becomes complete by itself.
        </p>
      )}
      <ListView label="Payments" list={list} columns={columns} empty={empty} />
    </>
  );
}

function NoPayments({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered)
    return (
      <EmptyState
        icon="search"
        title="No payments match"
        action={
          <Link to="/payments" className="button button-plain">
            Show all payments
          </Link>
        }
      >
        Remove a filter, or search for an exact ID, email address, amount or reference.
      </EmptyState>
    );
  return (
    <EmptyState
      icon="payments"
      title="No payments yet"
      action={
        <Link to="/checkout-sessions" className="button button-primary">
          Create a checkout session
        </Link>
      }
    >
      Payments appear here as soon as a customer opens one of your checkout sessions or payment links.
    </EmptyState>
  );
}
