// All routes of the dashboard's own calls, below /dashboard/api. Each group is in a file of its own.

import { type HomeRouteDeps, homeRoutes } from './home-routes.ts';
import type { OpenRoute } from './open-route.ts';
import { paymentExportRoutes } from './payment-export.ts';
import { paymentListRoutes } from './payment-list-routes.ts';
import { type RequestRouteDeps, requestRoutes } from './request-routes.ts';
import type { DashboardRoute } from './route.ts';
import { openSessionRoutes, type SessionRouteDeps, sessionRoutes } from './session-routes.ts';

/** What the routes need. Each group of routes adds its own. */
export interface DashboardDeps extends SessionRouteDeps, HomeRouteDeps, RequestRouteDeps {}

export function allDashboardRoutes(deps: DashboardDeps): DashboardRoute[] {
  return [
    ...sessionRoutes(deps),
    ...homeRoutes(deps),
    ...paymentListRoutes(deps),
    ...paymentExportRoutes(deps),
    ...requestRoutes(deps),
  ];
}

/** Those that need no session. */
export function allOpenRoutes(deps: DashboardDeps): OpenRoute[] {
  return [...openSessionRoutes(deps)];
}
