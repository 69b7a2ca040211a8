// The audit log of a merchant: who did what, when and from where. It can be read and exported, and nothing else.

import { type AuditAction, type AuditEntry, userActor } from '../../domain/audit-entry.ts';
import { csvLine } from '../../domain/csv.ts';
import { isId } from '../../domain/ids.ts';
import { isoTime } from '../../domain/moment.ts';
import type { Store } from '../../storage/store.ts';
import { listResponse, pageQuery } from '../api/list.ts';
import { type Static, Type } from '../schema.ts';
import { type CsvDownloadDeps, csvDownload } from './csv-download.ts';
import { type DashboardRoute, dashboardRoute, type Staff } from './route.ts';

export interface AuditRouteDeps extends CsvDownloadDeps {
  readonly store: Store;
}

const filters = {
  /** The id of a user or an API key, or `paydesk`. */
  actor: Type.Optional(Type.String({ maxLength: 100 })),
  action: Type.Optional(Type.String({ maxLength: 100 })),
};
const listQuery = Type.Object({ ...pageQuery, ...filters }, { additionalProperties: false });
const exportQuery = Type.Object(filters, { additionalProperties: false });

export const auditEntrySchema = Type.Object({
  id: Type.String(),
  object: Type.Literal('audit_entry'),
  created_at: Type.String(),
  actor_type: Type.Union([
    Type.Literal('user'),
    Type.Literal('api_key'),
    Type.Literal('operator'),
    Type.Literal('paydesk'),
  ]),
  /** The id of the user or the API key; null: whoever runs the installation, or Paydesk itself. */
  actor: Type.Union([Type.String(), Type.Null()]),
  email: Type.Union([Type.String(), Type.Null()]),
  ip: Type.Union([Type.String(), Type.Null()]),
  action: Type.String(),
  subject: Type.String(),
  details: Type.Record(Type.String(), Type.Unknown()),
});
export type AuditEntryBody = Static<typeof auditEntrySchema>;

const columns = ['time', 'actor_type', 'actor', 'email', 'ip', 'action', 'subject', 'details', 'id'];
const rowsAtOnce = 500;

export function auditRoutes(deps: AuditRouteDeps): DashboardRoute[] {
  const { store } = deps;
  const whereOf = ({ merchantId }: Staff, { actor, action }: Static<typeof exportQuery>) => ({
    merchantId,
    actor: actor !== undefined && isId('usr', actor) ? userActor(actor) : actor,
    // One that does not exist finds nothing.
    action: action as AuditAction | undefined,
  });

  async function* lines(where: ReturnType<typeof whereOf>): AsyncGenerator<string> {
    yield csvLine(columns);
    for (let after: string | undefined; ; ) {
      const page = await store.replica.list('auditEntries', { where, limit: rowsAtOnce, after });
      if (page.length > 0) yield page.map(csvOf).join('');
      after = page.at(-1)?.id;
      if (page.length < rowsAtOnce) return;
    }
  }

  return [
    dashboardRoute({
      method: 'GET',
      path: '/audit-log',
      may: 'audit',
      query: listQuery,
      handle: ({ staff, query }) =>
        listResponse(
          query,
          'aud',
          (page) => store.list('auditEntries', { where: whereOf(staff, query), ...page }),
          bodyOf,
        ),
    }),
    dashboardRoute({
      method: 'GET',
      path: '/audit-log/export',
      may: 'audit',
      query: exportQuery,
      handle: ({ staff, query }) =>
        csvDownload(deps, staff, {
          ...{ action: 'audit_log.exported', details: query, fileName: 'audit-log.csv' },
          lines: lines(whereOf(staff, query)),
        }),
    }),
  ];
}

function csvOf(entry: AuditEntry): string {
  const { id, created_at, actor_type, actor, email, ip, action, subject, details } = bodyOf(entry);
  return csvLine([created_at, actor_type, actor, email, ip, action, subject, JSON.stringify(details), id]);
}

function bodyOf({ id, createdAt, email, ip, action, subject, details, ...entry }: AuditEntry): AuditEntryBody {
  const common = { email, ip, action, subject, details };
  return { id, object: 'audit_entry', created_at: isoTime(createdAt), ...actorOf(entry.actor), ...common };
}

/** The operator's account on the server is none of the merchant's business. */
function actorOf(actor: string): Pick<AuditEntryBody, 'actor' | 'actor_type'> {
  if (actor.startsWith('user:')) return { actor_type: 'user', actor: actor.slice('user:'.length) };
  if (isId('key', actor)) return { actor_type: 'api_key', actor };
  return { actor_type: actor.startsWith('cli:') ? 'operator' : 'paydesk', actor: null };
}
