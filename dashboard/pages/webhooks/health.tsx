// How an endpoint did over the last 24 hours.

import type { EndpointHealthBody } from '../../../src/http/dashboard/api-types.ts';

export function Health({ health }: { readonly health: EndpointHealthBody }) {
  const { delivered, failed, waiting, median_ms: median, p95_ms: p95, sampled } = health;
  const figures = [
    { name: 'Delivered', value: delivered.toLocaleString(), bad: false },
    { name: 'Failed', value: failed.toLocaleString(), bad: failed > 0 },
    { name: 'Waiting', value: waiting.toLocaleString(), bad: false },
    { name: 'Median time', value: median === null ? '–' : `${median.toLocaleString()} ms`, bad: false },
    { name: '95 % within', value: p95 === null ? '–' : `${p95.toLocaleString()} ms`, bad: false },
  ];
  return (
    <div>
      <p className="health-title">
        {sampled ? `The newest ${(delivered + failed + waiting).toLocaleString()} deliveries` : 'Last 24 hours'}
      </p>
      <dl className="health">
        {figures.map(({ name, value, bad }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className={bad ? 'number health-bad' : 'number'}>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
