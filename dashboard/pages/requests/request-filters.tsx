// Filters of the request log, kept in the address bar, and the switch of the live view.

import { useNavigate } from '@tanstack/react-router';
import type { ApiKeyBody } from '../../../src/http/dashboard/api-types.ts';
import { useList } from '../../api/queries.ts';
import { Checkbox, Field, Select } from '../../components/field.tsx';
import { keyName } from '../api-keys/key-words.ts';
import { plainSearch } from '../plain-search.ts';
import { useTypedFilter } from './use-typed-filter.ts';

export interface RequestFilter {
  readonly status?: string | undefined;
  readonly path?: string | undefined;
  readonly key?: string | undefined;
}

export function RequestFilters({
  filter,
  live,
  onLive,
}: {
  readonly filter: RequestFilter;
  readonly live: boolean;
  readonly onLive: (live: boolean) => void;
}) {
  const navigate = useNavigate({ from: '/developers/requests' });
  const keys = useList<ApiKeyBody>('/api-keys');
  function change(changed: RequestFilter): void {
    navigate({ search: (previous) => plainSearch({ ...previous, ...changed }), replace: true });
  }
  const [path, typePath] = useTypedFilter(filter.path ?? '', (typed) => change({ path: typed }));
  return (
    <search className="filters">
      <Select
        label="Status"
        value={filter.status ?? ''}
        onChange={({ currentTarget: { value } }) => change({ status: value, path })}
      >
        <option value="">All</option>
        <option value="2xx">2xx succeeded</option>
        <option value="error">Errors</option>
        <option value="4xx">4xx refused</option>
        <option value="5xx">5xx failed</option>
      </Select>
      <Field
        label="Path"
        value={path}
        placeholder="/payment-intents"
        spellCheck={false}
        autoComplete="off"
        onChange={({ currentTarget: { value } }) => typePath(value)}
      />
      <Select
        label="Key"
        value={filter.key ?? ''}
        onChange={({ currentTarget: { value } }) => change({ key: value, path })}
      >
        <option value="">All keys</option>
        {keys.data?.pages
          .flatMap(({ data }) => data)
          .map((key) => (
            <option key={key.id} value={key.id}>
              {keyName(key)}
            </option>
          ))}
      </Select>
      <div className="live-tail">
        <Checkbox label="Live tail" checked={live} onChange={({ currentTarget: { checked } }) => onLive(checked)} />
      </div>
    </search>
  );
}
