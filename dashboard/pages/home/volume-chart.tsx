// The last 30 days as bars, with the figures of the day under the pointer, and as a table for everyone who prefers numbers.

import { useId, useState } from 'react';
import type { Home, HomeDay } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { digitsOf } from '../../components/decimal-text.ts';
import { Card } from '../../components/details.tsx';
import { formatMoney } from '../../components/money.tsx';
import { Skeleton } from '../../components/states.tsx';

/** A currency, or the number of payments. */
type Measure = string;
const byNumber = 'number';

const dayFormat = new Intl.DateTimeFormat(navigator.languages, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const weekdayFormat = new Intl.DateTimeFormat(navigator.languages, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});
const fullDayFormat = new Intl.DateTimeFormat(navigator.languages, { dateStyle: 'full', timeZone: 'UTC' });
const compact = new Intl.NumberFormat(navigator.languages, { notation: 'compact', maximumFractionDigits: 2 });

export function VolumeChart({ home }: { readonly home: Home | undefined }) {
  const [chosen, setMeasure] = useState<Measure | null>(null);
  const [hovered, setHovered] = useState<number | null>(null);
  const [isTable, setTable] = useState(false);
  const selectId = useId();
  const measure = chosen ?? home?.currencies[0] ?? byNumber;
  const days = home?.days ?? [];
  const day = hovered === null ? undefined : days[hovered];
  return (
    <Card
      title="Last 30 days"
      actions={
        <div className="cluster">
          <label htmlFor={selectId} className="visually-hidden">
            Figures of the chart
          </label>
          <select
            id={selectId}
            className="small-select"
            value={measure}
            onChange={({ currentTarget }) => setMeasure(currentTarget.value)}
          >
            {(home?.currencies ?? []).map((currency) => (
              <option key={currency} value={currency}>
                Volume in {currency}
              </option>
            ))}
            <option value={byNumber}>Number of payments</option>
          </select>
          <Button small aria-pressed={isTable} onClick={() => setTable(!isTable)} disabled={home === undefined}>
            {isTable ? 'Show chart' : 'Show table'}
          </Button>
        </div>
      }
    >
      {isTable && home !== undefined ? (
        <DayTable days={days} measure={measure} />
      ) : (
        <>
          <p className="chart-figures number" aria-live="off">
            {home === undefined ? (
              <Skeleton width={40} />
            ) : day === undefined ? (
              totalText(home, measure)
            ) : (
              dayText(day, measure)
            )}
          </p>
          <Bars days={days} measure={measure} hovered={hovered} onHover={setHovered} />
        </>
      )}
    </Card>
  );
}

function Bars({
  days,
  measure,
  hovered,
  onHover,
}: {
  readonly days: readonly HomeDay[];
  readonly measure: Measure;
  readonly hovered: number | null;
  readonly onHover: (index: number | null) => void;
}) {
  const values = days.map((day) => heightOf(day, measure));
  const top = niceTop(Math.max(0, ...values));
  const scale = [top, top / 2, 0].map((value) => axisText(value, measure));
  const first = days[0];
  const last = days.at(-1);
  const label = `Bars of the last ${days.length} days, from ${first?.date ?? ''} to ${last?.date ?? ''}. The table has the same figures.`;
  return (
    <div className="chart">
      <div className="chart-scale number" aria-hidden="true">
        {scale.map((text, index) => (
          <span key={String(index)}>{days.length === 0 ? '' : text}</span>
        ))}
      </div>
      <div className="chart-plot" role="img" aria-label={label} onPointerLeave={() => onHover(null)}>
        {days.map((day, index) => (
          <div
            key={day.date}
            className={hovered === index ? 'chart-day chart-day-hovered' : 'chart-day'}
            onPointerEnter={() => onHover(index)}
          >
            <div className="chart-bar" style={{ height: `${top === 0 ? 0 : (heightOf(day, measure) / top) * 100}%` }} />
          </div>
        ))}
      </div>
      <div className="chart-dates number" aria-hidden="true">
        {[first, days[Math.floor(days.length / 2)], last].map((day, index) => (
          <span key={String(index)}>{day === undefined ? '' : dayFormat.format(new Date(day.date))}</span>
        ))}
      </div>
    </div>
  );
}

function DayTable({ days, measure }: { readonly days: readonly HomeDay[]; readonly measure: Measure }) {
  const isMoney = measure !== byNumber;
  const columns: readonly Column<HomeDay>[] = [
    { key: 'date', label: 'Day', cell: ({ date }) => weekdayFormat.format(new Date(date)) },
    ...(isMoney
      ? ([
          {
            key: 'gross',
            label: `Volume in ${measure}`,
            align: 'right',
            cell: (day) => amountText(day, measure, 'gross'),
          },
          {
            ...{ key: 'refunded', label: 'Refunded', align: 'right', hideBelow: 'phone' },
            cell: (day) => amountText(day, measure, 'refunded'),
          },
        ] as const satisfies readonly Column<HomeDay>[])
      : []),
    { key: 'payments', label: 'Payments', align: 'right', cell: ({ payments }) => payments.toLocaleString() },
    {
      key: 'failed',
      label: 'Failed',
      align: 'right',
      hideBelow: 'phone',
      cell: ({ failed }) => failed.toLocaleString(),
    },
  ];
  return (
    <DataTable
      label="Figures of the last 30 days"
      columns={columns}
      rows={days.toReversed()}
      rowKey={({ date }) => date}
    />
  );
}

function sumOf(figures: Pick<HomeDay, 'by_currency'>, currency: string) {
  return figures.by_currency.find((sum) => sum.currency === currency) ?? { gross: 0, refunded: 0, succeeded: 0 };
}

function heightOf(day: HomeDay, measure: Measure): number {
  return measure === byNumber ? day.payments : sumOf(day, measure).gross;
}

function amountText(day: HomeDay, currency: string, name: 'gross' | 'refunded'): string {
  return formatMoney(sumOf(day, currency)[name], currency);
}

function totalText({ total }: Home, measure: Measure): string {
  return measure === byNumber
    ? `${paymentsText(total.payments)}, ${total.failed.toLocaleString()} failed`
    : `${formatMoney(sumOf(total, measure).gross, measure)} in ${paymentsText(sumOf(total, measure).succeeded)}`;
}

function paymentsText(count: number): string {
  return count === 1 ? '1 payment' : `${count.toLocaleString()} payments`;
}

function dayText(day: HomeDay, measure: Measure): string {
  const date = fullDayFormat.format(new Date(day.date));
  const counts = `${paymentsText(day.payments)}, ${day.failed.toLocaleString()} failed`;
  return measure === byNumber ? `${date}: ${counts}` : `${date}: ${amountText(day, measure, 'gross')}, ${counts}`;
}

function axisText(value: number, measure: Measure): string {
  return compact.format(measure === byNumber ? value : value / 10 ** digitsOf(measure));
}

/** The next round number, so that the scale can be read. */
function niceTop(value: number): number {
  if (value === 0) return 0;
  const unit = 10 ** Math.floor(Math.log10(value));
  return unit * ([1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].find((step) => step * unit >= value) ?? 10);
}
