// Today's figures, each beside yesterday's up to the same time of day, so that mornings do not look like failures.

import type { ReactNode } from 'react';
import type { Home, HomeFigures } from '../../api/types.ts';
import { formatMoney } from '../../components/money.tsx';
import { Skeleton } from '../../components/states.tsx';

const percent = new Intl.NumberFormat(navigator.languages, { style: 'percent', maximumFractionDigits: 1 });

/** More currencies than this are counted, not listed. */
const maxCurrencies = 2;

export function TodayFigures({ home }: { readonly home: Home | undefined }) {
  const today = home?.today;
  const before = home?.yesterday_until_now;
  const currencies =
    home === undefined ? [] : (home.currencies.length === 0 ? ['EUR'] : home.currencies).slice(0, maxCurrencies);
  const rate = (figures: HomeFigures | undefined): string | undefined =>
    figures === undefined ? undefined : figures.success_rate === null ? '–' : percent.format(figures.success_rate);
  const left = (home?.currencies.length ?? 0) - currencies.length;
  return (
    <section aria-labelledby="today">
      <div className="section-head">
        <h2 id="today" className="card-title">
          Today
        </h2>
        <span className="faint">against yesterday until the same time</span>
      </div>
      <div className="today">
        <Figure name="Gross volume" note={left > 0 ? `${left} more currencies in the chart` : null}>
          {today === undefined || before === undefined ? (
            <Value now={undefined} before={undefined} />
          ) : (
            currencies.map((currency) => (
              <Value
                key={currency}
                now={formatMoney(ofCurrency(today, currency).gross, currency)}
                before={formatMoney(ofCurrency(before, currency).gross, currency)}
              />
            ))
          )}
        </Figure>
        <Figure name="Payments">
          <Value now={today?.payments.toLocaleString()} before={before?.payments.toLocaleString()} />
        </Figure>
        <Figure name="Success rate">
          <Value now={rate(today)} before={rate(before)} />
        </Figure>
        <Figure name="Refunds">
          <Value now={today?.refunds.toLocaleString()} before={before?.refunds.toLocaleString()} />
          {today !== undefined && <Refunded figures={today} />}
        </Figure>
      </div>
    </section>
  );
}

function Figure({
  name,
  note = null,
  children,
}: {
  readonly name: string;
  readonly note?: string | null;
  readonly children: ReactNode;
}) {
  return (
    <div className="card figure">
      <div className="figure-head">
        <h3 className="figure-name">{name}</h3>
        {note !== null && <span className="faint">{note}</span>}
      </div>
      {children}
    </div>
  );
}

function Value({ now, before }: { readonly now: string | undefined; readonly before: string | undefined }) {
  return (
    <div className="figure-value">
      <span className="figure-now number">{now ?? <Skeleton width={7} />}</span>
      <span className="faint number">{before === undefined ? <Skeleton width={16} /> : `${before} yesterday`}</span>
    </div>
  );
}

function Refunded({ figures }: { readonly figures: HomeFigures }) {
  const sums = figures.by_currency.filter(({ refunded }) => refunded > 0).slice(0, maxCurrencies);
  if (sums.length === 0) return null;
  return (
    <p className="faint number">{sums.map(({ refunded, currency }) => formatMoney(refunded, currency)).join(', ')}</p>
  );
}

function ofCurrency({ by_currency: sums }: HomeFigures, currency: string): { readonly gross: number } {
  return sums.find((sum) => sum.currency === currency) ?? { gross: 0 };
}
