// Serves a route of the API to signed-in users as well, with the same schemas and the same handler: the dashboard has no
// rules of its own.

import type { AuditAction, AuditDetails } from '../../domain/audit-entry.ts';
import type { Permission } from '../../domain/user-role.ts';
import type { ApiRoute } from '../api/route.ts';
import type { DashboardRoute } from './route.ts';

export interface Mounting {
  /** Below `/dashboard/api`; by default the path in the API. */
  readonly path?: string;
  readonly may: Permission;
  readonly sensitive?: boolean;
  /** Only for use cases that write no audit entry of their own. */
  readonly audit?: AuditAction;
  /** The fields of the body that the audit entry shows. */
  readonly shows?: readonly string[];
}

export type Mount = (operationId: string, mounting: Mounting) => DashboardRoute;

export function mounting(api: readonly ApiRoute[]): Mount {
  return (operationId, { path, may, sensitive = false, audit, shows = [] }) => {
    const route = api.find((known) => known.operationId === operationId);
    if (route === undefined) throw new RangeError(`the API has no operation ${operationId}`);
    const { method, id, query, body, idempotent } = route;
    return {
      method,
      path: path ?? route.path,
      may,
      sensitive,
      ...(id === undefined ? {} : { id }),
      ...(query === undefined ? {} : { query }),
      ...(body === undefined ? {} : { body }),
      ...(idempotent === undefined ? {} : { idempotent }),
      ...(audit === undefined ? {} : { audit: { action: audit, details: (given) => pick(given, shows) } }),
      handle: ({ staff, ...request }) => route.handle({ ...request, caller: staff }),
    };
  };
}

function pick(body: unknown, fields: readonly string[]): AuditDetails {
  const given = body as Readonly<Record<string, unknown>>;
  return Object.fromEntries(fields.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])));
}
