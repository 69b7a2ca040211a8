// GET /updates: tells a page what has changed.

import { isLive } from '../../domain/dashboard-session.ts';
import { isRefusal } from '../../domain/errors.ts';
import type { Store } from '../../storage/store.ts';
import { membershipsOf } from '../../usecases/sign-in.ts';
import type { LiveUpdates } from './live-updates.ts';
import { type DashboardRoute, dashboardRoute, type Staff } from './route.ts';

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

/** A role that has changed ends the stream, too: the page that reconnects gets what its new role may see. */
export function stillSignedIn(store: Store, now: () => number): (staff: Staff) => Promise<boolean> {
  return async ({ sessionId, userId, merchantId, role }) => {
    const [session, user, memberships] = await Promise.all([
      store.findBy('dashboardSessions', 'id', sessionId),
      store.findBy('users', 'id', userId),
      membershipsOf(store, userId),
    ]);
    if (session === null || user === null || !isLive({ session, user }, now())) return false;
    return memberships.some((membership) => membership.merchantId === merchantId && membership.role === role);
  };
}
