// The browsers that the user is signed in with, each of which can be signed out from here.

import { remove } from '../../api/client.ts';
import { useObject, useRefresh } from '../../api/queries.ts';
import { setSession } from '../../api/session.ts';
import type { Session, SessionListBody } from '../../api/types.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Card } from '../../components/details.tsx';
import { FormError } from '../../components/dialog.tsx';
import { ErrorState } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { toast } from '../../components/toast.tsx';
import { useAction } from '../../components/use-action.ts';

type Item = SessionListBody['data'][number];

export function Sessions() {
  const sessions = useObject<SessionListBody>('/account/sessions');
  const refresh = useRefresh();
  const end = useAction(async (id: string) => {
    await remove(`/account/sessions/${id}`);
    await refresh('/account/sessions');
    toast('The session was ended.');
  });
  const endOthers = useAction(async () => {
    setSession(await remove<Session>('/account/sessions', { session: 'replaced' }));
    await refresh('/account/sessions');
    toast('All other sessions were ended.');
  });
  const rows = sessions.data?.data;
  const columns: readonly Column<Item>[] = [
    {
      key: 'browser',
      label: 'Browser',
      flexible: true,
      expect: 18,
      cell: ({ user_agent: agent, current }) => (
        <span title={agent}>
          {browserName(agent)} {current && <Badge tone="good">This session</Badge>}
        </span>
      ),
    },
    { key: 'ip', label: 'Address', hideBelow: 'phone', expect: 12, cell: ({ ip }) => <code>{ip}</code> },
    { key: 'used', label: 'Last used', align: 'right', expect: 16, cell: ({ last_used_at: at }) => <Time at={at} /> },
    {
      key: 'end',
      label: 'End',
      hideLabel: true,
      align: 'right',
      expect: 4,
      cell: ({ id, current, user_agent: agent }) =>
        current ? null : (
          <Button
            small
            busy={end.busy}
            aria-label={`End the session of ${browserName(agent)}`}
            onClick={() => end.run(id)}
          >
            End
          </Button>
        ),
    },
  ];
  return (
    <Card
      title="Sessions"
      actions={
        <Button small busy={endOthers.busy} disabled={(rows?.length ?? 0) < 2} onClick={() => endOthers.run()}>
          Sign out everywhere else
        </Button>
      }
    >
      <FormError message={end.error ?? endOthers.error} />
      {sessions.isError && rows === undefined ? (
        <ErrorState error={sessions.error} onRetry={() => sessions.refetch()} retrying={sessions.isFetching} />
      ) : (
        <DataTable label="Sessions" columns={columns} rows={rows} rowKey={({ id }) => id} loadingRows={2} stacked />
      )}
    </Card>
  );
}

/** The first that fits: Edge also says Chrome, and Chrome also says Safari. */
const browsers: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const systems: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Mac OS/, 'macOS'],
  [/Windows/, 'Windows'],
  [/Linux/, 'Linux'],
];

function browserName(agent: string): string {
  const browser = browsers.find(([pattern]) => pattern.test(agent))?.[1];
  const system = systems.find(([pattern]) => pattern.test(agent))?.[1];
  if (browser === undefined) return agent === '' ? 'Unknown browser' : agent.slice(0, 40);
  return system === undefined ? browser : `${browser} on ${system}`;
}
