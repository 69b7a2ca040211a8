// GET /updates: tells a page what has changed.

import { isRefusal } from '../../domain/errors.ts';
import type { LiveUpdates } from './live-updates.ts';
import { type DashboardRoute, dashboardRoute } from './route.ts';

export function updateRoutes(updates: Pick<LiveUpdates, 'open'>): DashboardRoute[] {
  return [
    dashboardRoute({
      method: 'GET',
      path: '/updates',
      may: 'read',
      handle: async ({ staff }) => {
        const stream = await updates.open(staff);
        return isRefusal(stream) ? stream : { status: 200, body: null, stream };
      },
    }),
  ];
}
