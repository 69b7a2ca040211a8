// The definition of a dashboard route: enough to check who may call it, to validate requests and to type the front end.

import type { IncomingHttpHeaders } from 'node:http';
import type { AuditAction, AuditDetails } from '../../domain/audit-entry.ts';
import type { Refusal } from '../../domain/errors.ts';
import type { IdPrefix } from '../../domain/ids.ts';
import type { Permission, Role } from '../../domain/user-role.ts';
import type { AnsweredBefore } from '../../usecases/decide-and-commit.ts';
import type { ApiResponse, Idempotent, Once } from '../api/route.ts';
import type { Caller } from '../authenticate.ts';
import type { ReplyHeaders } from '../route.ts';
import type { Static, TObject, TSchema } from '../schema.ts';

/** A signed-in user, acting for one of their merchants in one mode. As a caller, their key is their user id. */
export interface Staff extends Caller {
  readonly userId: string;
  readonly email: string;
  readonly role: Role;
  readonly sessionId: string;
  readonly ip: string;
}

export interface DashboardResponse extends ApiResponse {
  /** Of the stream; `text/event-stream` by default. */
  readonly mediaType?: string;
  readonly headers?: ReplyHeaders;
}

export interface DashboardRequest<Query = unknown, Body = unknown> {
  readonly staff: Staff;
  /** The `:id` of the path, well-formed if the route names its prefix; empty if the path has none. */
  readonly id: string;
  /** Checked against the route's schemas. */
  readonly query: Query;
  readonly body: Body;
  readonly headers: IncomingHttpHeaders;
  /** Present when the request carries an Idempotency-Key. */
  readonly once?: Once;
}

export interface TypedDashboardRoute<Query extends TSchema, Body extends TSchema> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/dashboard/api`, for example `/payments/:id/refund`. */
  readonly path: string;
  readonly may: Permission;
  /** Needs a password that was entered in the last ten minutes. */
  readonly sensitive?: boolean;
  readonly id?: { readonly prefix: IdPrefix; readonly notFound: (id: string) => Refusal };
  readonly query?: Query;
  readonly body?: Body;
  readonly idempotent?: Idempotent;
  /** What the audit log says; committed with the first change that the handler makes. Not for use cases that write their own entry. */
  readonly audit?: {
    readonly action: AuditAction;
    readonly details?: (body: Static<Body>) => AuditDetails;
  };
  /** A method, so that routes of all types fit into one list. */
  handle(request: DashboardRequest<Static<Query>, Static<Body>>): Promise<DashboardResponse | Refusal | AnsweredBefore>;
}

export type DashboardRoute = TypedDashboardRoute<TSchema, TSchema>;

type NoFields = TObject<Record<never, never>>;

/** Types a handler by its route's schemas, which determine what it can read from the query and the body. */
export function dashboardRoute<Query extends TSchema = NoFields, Body extends TSchema = NoFields>(
  route: TypedDashboardRoute<Query, Body>,
): DashboardRoute {
  return route;
}
