// Builds the server side of the dashboard from the parts of the app.

import { clientNetwork } from '../../domain/client-network.ts';
import type { Random } from '../../domain/ids.ts';
import type { Clock, Moment } from '../../domain/moment.ts';
import type { PasswordCost } from '../../domain/password-hash.ts';
import type { SecretBox } from '../../domain/secret-box.ts';
import type { Store } from '../../storage/store.ts';
import { passwords } from '../../usecases/passwords.ts';
import { boundedWork } from '../bounded-work.ts';
import type { Route } from '../route.ts';
import { allDashboardRoutes, allOpenRoutes, type DashboardDeps } from './dashboard-routes.ts';
import { downloadLimit } from './download-limit.ts';
import { type DashboardServing, dashboardRoutes } from './serve-dashboard.ts';
import { sessionCookie } from './session-cookie.ts';
import { staffFinder } from './signed-in-staff.ts';
import { dashboardFileRoutes } from './static-files.ts';

/** Each takes 128 MB while it runs, and one of the four threads that Node has for such work. */
const hashesAtOnce = { atOnce: 2, waiting: 30 };

export interface DashboardParts extends Omit<DashboardServing, 'staff' | 'now'> {
  readonly store: Store;
  readonly clock: Clock;
  readonly moment: () => Moment;
  readonly random: Random;
  readonly secretBox: SecretBox;
  readonly publicUrl: string;
  readonly passwordCost: PasswordCost;
  /** What the routes need besides. */
  readonly routeDeps: Omit<DashboardDeps, keyof OwnDeps>;
}

/** What is made here. */
type OwnDeps = Pick<
  DashboardDeps,
  | 'store'
  | 'moment'
  | 'now'
  | 'random'
  | 'secretBox'
  | 'passwords'
  | 'networkOf'
  | 'cookie'
  | 'staff'
  | 'publicUrl'
  | 'downloads'
>;

export function dashboard(parts: DashboardParts): Route[] {
  const { store, clock, moment, random, secretBox, publicUrl, passwordCost } = parts;
  const cookie = sessionCookie(publicUrl);
  const staff = staffFinder({ store, clock, secretBox, cookie });
  const deps: DashboardDeps = {
    ...parts.routeDeps,
    ...{ store, moment, random, secretBox, cookie, staff, publicUrl, now: () => clock.now() },
    passwords: passwords({ random, cost: passwordCost, inTurn: boundedWork(hashesAtOnce) }),
    networkOf: clientNetwork,
    downloads: downloadLimit(),
  };
  const serving = { ...parts, staff, now: () => clock.now() };
  const calls = dashboardRoutes(allDashboardRoutes(deps), allOpenRoutes(deps), serving);
  return [...calls, ...dashboardFileRoutes({ random })];
}
