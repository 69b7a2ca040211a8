// Who did something; leads to everything else that they did.

import { Link } from '@tanstack/react-router';
import type { AuditEntryBody } from '../../../src/http/dashboard/api-types.ts';

const others = { operator: 'Whoever runs Paydesk', paydesk: 'Paydesk', api_key: 'API key', user: 'User' } as const;

export function Actor({ entry: { actor, actor_type: type, email } }: { readonly entry: AuditEntryBody }) {
  if (actor === null) return others[type];
  return (
    <Link to="/audit-log" search={{ actor }} title={actor}>
      {email ?? `${others[type]} …${actor.slice(-6)}`}
    </Link>
  );
}
