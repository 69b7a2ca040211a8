// All routes of the dashboard's own calls, below /dashboard/api. Each group is in a file of its own.

import { accountRoutes } from './account-routes.ts';
import { type AuditRouteDeps, auditRoutes } from './audit-routes.ts';
import { checkoutPreviewRoutes } from './checkout-preview.ts';
import { type HomeRouteDeps, homeRoutes } from './home-routes.ts';
import { openLinkRoutes } from './link-routes.ts';
import type { OpenRoute } from './open-route.ts';
import { paymentExportRoutes } from './payment-export.ts';
import { paymentListRoutes } from './payment-list-routes.ts';
import { type RequestRouteDeps, requestRoutes } from './request-routes.ts';
import { type ResourceDeps, resourceRoutes } from './resource-routes.ts';
import type { DashboardRoute } from './route.ts';
import { openSessionRoutes, type SessionRouteDeps, sessionRoutes } from './session-routes.ts';
import { type TeamRouteDeps, teamRoutes } from './team-routes.ts';

/** What the routes need. Each group of routes adds its own. */
export interface DashboardDeps
  extends SessionRouteDeps,
    TeamRouteDeps,
    HomeRouteDeps,
    ResourceDeps,
    RequestRouteDeps,
    AuditRouteDeps {}

export function allDashboardRoutes(deps: DashboardDeps): DashboardRoute[] {
  return [
    ...[...sessionRoutes(deps), ...accountRoutes(deps), ...teamRoutes(deps), ...auditRoutes(deps)],
    ...homeRoutes(deps),
    ...paymentListRoutes(deps),
    ...resourceRoutes(deps),
    ...checkoutPreviewRoutes(),
    ...paymentExportRoutes(deps),
    ...requestRoutes(deps),
  ];
}

/** Those that need no session. */
export function allOpenRoutes(deps: DashboardDeps): OpenRoute[] {
  return [...openSessionRoutes(deps), ...openLinkRoutes(deps)];
}
