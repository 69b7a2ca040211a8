// The filters of the list of payments.

import * as Popover from '@radix-ui/react-popover';
import { type FormEvent, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Field, Select } from '../../components/field.tsx';
import { Icon } from '../../components/icon.tsx';
import { amountFrom, typedText } from './payment-filter.ts';
import type { PaymentSearch } from './payment-search.ts';
import { methodName, methodTypes } from './payment-words.ts';

const filterNames = ['from', 'to', 'min', 'max', 'currency', 'method'] as const;
type FilterName = (typeof filterNames)[number];
export type Filters = { readonly [name in FilterName]: string | undefined };

export const noFilters: Filters = {
  from: undefined,
  to: undefined,
  min: undefined,
  max: undefined,
  currency: undefined,
  method: undefined,
};

const commonCurrencies = 'AUD BRL CAD CHF CZK DKK EUR GBP HUF JPY MXN NOK PLN SEK THB USD'.split(' ');

export function FilterPopover({
  search,
  currencies,
  onApply,
}: {
  readonly search: PaymentSearch;
  /** Those that the merchant has payments in. */
  readonly currencies: readonly string[];
  readonly onApply: (filters: Filters) => void;
}) {
  const [open, setOpen] = useState(false);
  const active = filterNames.filter((name) => search[name] !== undefined).length;
  function apply(filters: Filters): void {
    onApply(filters);
    setOpen(false);
  }
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger className="button button-plain">
        <Icon name="filter" />
        Filters
        {active > 0 && <span className="tab-count">{active}</span>}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className="popover" align="end" sideOffset={6} collisionPadding={12} aria-label="Filters">
          <FilterForm search={search} currencies={currencies} onApply={apply} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function FilterForm({
  search,
  currencies,
  onApply,
}: {
  readonly search: PaymentSearch;
  readonly currencies: readonly string[];
  readonly onApply: (filters: Filters) => void;
}) {
  const [wrong, setWrong] = useState<{ readonly min: string | null; readonly max: string | null }>({
    min: null,
    max: null,
  });
  const offered = [
    ...new Set([...currencies, ...commonCurrencies, ...(search.currency ? [search.currency.toUpperCase()] : [])]),
  ];

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const text = (name: FilterName): string | undefined => String(fields.get(name) ?? '') || undefined;
    const currency = text('currency');
    const min = amountFrom(text('min') ?? '', currency);
    const max = amountFrom(text('max') ?? '', currency);
    setWrong({ min: 'problem' in min ? min.problem : null, max: 'problem' in max ? max.problem : null });
    if ('problem' in min || 'problem' in max) return;
    const amounts = { min: min.value, max: max.value };
    onApply({ from: text('from'), to: text('to'), ...amounts, currency, method: text('method') });
  }
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <div className="pair">
        <Field label="From" name="from" type="date" defaultValue={search.from ?? ''} />
        <Field label="Until" name="to" type="date" defaultValue={search.to ?? ''} />
      </div>
      <div className="pair">
        <Field
          label="Minimum amount"
          name="min"
          inputMode="decimal"
          defaultValue={typedText(search.min, search.currency)}
          error={wrong.min}
        />
        <Field
          label="Maximum amount"
          name="max"
          inputMode="decimal"
          defaultValue={typedText(search.max, search.currency)}
          error={wrong.max}
        />
      </div>
      <div className="pair">
        <Select label="Currency" name="currency" defaultValue={search.currency?.toUpperCase() ?? ''}>
          <option value="">Any</option>
          {offered.map((code) => (
            <option key={code}>{code}</option>
          ))}
        </Select>
        <Select label="Method" name="method" defaultValue={search.method ?? ''}>
          <option value="">Any</option>
          {methodTypes.map((type) => (
            <option key={type} value={type}>
              {methodName(type)}
            </option>
          ))}
        </Select>
      </div>
      <div className="form-actions">
        <Button onClick={() => onApply(noFilters)}>Clear</Button>
        <Button type="submit" look="primary">
          Apply
        </Button>
      </div>
    </form>
  );
}
