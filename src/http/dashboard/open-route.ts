// The definition of a dashboard route that needs no session, such as signing in.

import type { Refusal } from '../../domain/errors.ts';
import type { HttpRequest } from '../route.ts';
import type { Static, TObject, TSchema } from '../schema.ts';
import type { DashboardResponse } from './route.ts';

export interface TypedOpenRoute<Body extends TSchema> {
  readonly method: 'GET' | 'POST';
  /** Below `/dashboard/api`. */
  readonly path: string;
  readonly body?: Body;
  /** A method, so that routes of all types fit into one list. */
  handle(request: HttpRequest, body: Static<Body>): Promise<DashboardResponse | Refusal>;
}

export type OpenRoute = TypedOpenRoute<TSchema>;

export function openRoute<Body extends TSchema = TObject<Record<never, never>>>(
  route: TypedOpenRoute<Body>,
): OpenRoute {
  return route;
}
