// Home: today against yesterday, the last 30 days, why payments were declined, and whether webhooks arrive.

import { Link } from '@tanstack/react-router';
import { useObject } from '../../api/queries.ts';
import type { Home as HomeBody } from '../../api/types.ts';
import { useMay, useMembership } from '../../api/use-membership.ts';
import { Card } from '../../components/details.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { ErrorState, Loading, OutdatedNotice, Skeleton } from '../../components/states.tsx';
import { declineText } from '../payments/payment-words.ts';
import { FirstSteps } from './first-steps.tsx';
import { TodayFigures } from './today-figures.tsx';
import { VolumeChart } from './volume-chart.tsx';

const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

export function Home() {
  const { name } = useMembership();
  const home = useObject<HomeBody>('/home', { days: 30, time_zone: timeZone });
  const { data } = home;
  return (
    <>
      <PageHead title="Home" />
      <OutdatedNotice of={home} />
      {home.isError && data === undefined ? (
        <ErrorState error={home.error} onRetry={() => home.refetch()} retrying={home.isFetching} />
      ) : data?.is_empty === true ? (
        <FirstSteps merchant={name} checklist={data.checklist} />
      ) : (
        <div className="home">
          {data === undefined && <Loading label="Loading Home" />}
          {data?.is_catching_up === true && (
            <p className="notice" role="status">
              Older payments are still being added up. The figures become complete by themselves.
            </p>
          )}
          <TodayFigures home={data} />
          <VolumeChart home={data} />
          <div className="home-pair">
            <Declines home={data} />
            <Webhooks home={data} />
          </div>
        </div>
      )}
    </>
  );
}

function Declines({ home }: { readonly home: HomeBody | undefined }) {
  const declines = home?.declines ?? [];
  const most = Math.max(1, ...declines.map(({ count }) => count));
  return (
    <Card title="Declines by reason" actions={<span className="faint">Last 30 days</span>}>
      {home === undefined ? (
        <ul className="ranking">
          {[22, 18, 20, 16, 18].map((width, index) => (
            <li key={String(index)}>
              <Skeleton width={width} />
              <span className="number">&nbsp;</span>
              <span className="ranking-bar" aria-hidden="true" />
            </li>
          ))}
        </ul>
      ) : declines.length === 0 ? (
        <p className="faint">No payment was declined.</p>
      ) : (
        <ul className="ranking">
          {declines.map(({ code, count }) => (
            <li key={code}>
              <span className="ranking-name">{declineText(code)}</span>
              <span className="number">{count.toLocaleString()}</span>
              <span className="ranking-bar" aria-hidden="true">
                <span style={{ width: `${(count / most) * 100}%` }} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Webhooks({ home }: { readonly home: HomeBody | undefined }) {
  const mayDevelop = useMay('develop');
  const webhooks = home?.webhooks;
  const link = mayDevelop ? (
    <Link to="/developers/webhooks">Webhooks</Link>
  ) : (
    <span className="faint">Last 24 hours</span>
  );
  return (
    <Card title="Webhook health" actions={link}>
      {webhooks === undefined ? (
        <Skeleton width={30} />
      ) : webhooks.endpoints === 0 ? (
        <p className="faint">No webhook endpoint is enabled. With one, your server hears about payments at once.</p>
      ) : (
        <dl className="figures">
          <Figure name="Delivered, 24 hours" value={webhooks.delivered_24h} more={webhooks.capped} />
          <Figure
            name="Failed, 24 hours"
            value={webhooks.failed_24h}
            more={webhooks.capped}
            isBad={webhooks.failed_24h > 0}
          />
          <Figure name="Waiting" value={webhooks.waiting} more={webhooks.capped} />
        </dl>
      )}
    </Card>
  );
}

function Figure({
  name,
  value,
  more,
  isBad = false,
}: {
  readonly name: string;
  readonly value: number;
  readonly more: boolean;
  readonly isBad?: boolean;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={isBad ? 'number bad' : 'number'}>
        {value.toLocaleString()}
        {more && value > 0 ? '+' : ''}
      </dd>
    </div>
  );
}
