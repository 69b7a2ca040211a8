// What is being bought.

import { type Column, DataTable } from './data-table.tsx';
import { Card } from './details.tsx';
import { Money } from './money.tsx';

interface LineItem {
  readonly name: string;
  readonly quantity: number;
  readonly unit_amount: number;
  readonly description?: string | null;
}

export function LineItems({
  items,
  currency,
}: {
  readonly items: readonly LineItem[] | null;
  readonly currency: string;
}) {
  if (items === null) return null;
  const rows = items.map((item, index) => ({ ...item, key: String(index) }));
  return (
    <Card title="Line items">
      <DataTable label="Line items" columns={columnsIn(currency)} rows={rows} rowKey={({ key }) => key} />
    </Card>
  );
}

function columnsIn(currency: string): readonly Column<LineItem>[] {
  return [
    {
      key: 'name',
      label: 'Item',
      flexible: true,
      cell: ({ name, description }) => (
        <>
          {name}
          {description != null && <span className="faint"> · {description}</span>}
        </>
      ),
    },
    { key: 'quantity', label: 'Quantity', align: 'right', cell: ({ quantity }) => quantity.toLocaleString() },
    {
      key: 'unit',
      label: 'Unit price',
      align: 'right',
      hideBelow: 'phone',
      cell: ({ unit_amount: unit }) => <Money amount={unit} currency={currency} />,
    },
    {
      key: 'total',
      label: 'Total',
      align: 'right',
      cell: ({ unit_amount: unit, quantity }) => <Money amount={unit * quantity} currency={currency} />,
    },
  ];
}
