// Finds out who uses the dashboard: from the cookie to a user, one of their merchants, a mode and a role.

import { timingSafeEqual } from 'node:crypto';
import { type DashboardSession, hashToken, isLive, used } from '../../domain/dashboard-session.ts';
import { isRefusal, type Refusal, refuse } from '../../domain/errors.ts';
import type { Clock } from '../../domain/moment.ts';
import type { SecretBox } from '../../domain/secret-box.ts';
import type { Membership, User } from '../../domain/user.ts';
import type { Store } from '../../storage/store.ts';
import { membershipsOf } from '../../usecases/sign-in.ts';
import type { HttpRequest } from '../route.ts';
import type { Staff } from './route.ts';
import type { SessionCookie } from './session-cookie.ts';

/** Who sent a request, and for which merchant and mode. */
export interface StaffAccess {
  readonly staff: Staff;
  readonly session: DashboardSession;
  readonly user: User;
  /** The merchants that the user works for. */
  readonly memberships: readonly Membership[];
}

export interface StaffFinder {
  /** Counts as use of the session, unless an open page sends it by itself. */
  find(request: HttpRequest): Promise<StaffAccess | Refusal>;
  /** The same, without counting. */
  look(request: HttpRequest): Promise<StaffAccess | Refusal>;
  csrfToken(session: Pick<DashboardSession, 'id'>): string;
  hasCsrfToken(request: HttpRequest, session: DashboardSession): boolean;
}

export const signInRequired = refuse('sign_in_required', 'Sign in first.');
const merchantNotFound = refuse('merchant_not_found', 'There is no such merchant, or you do not work for it.');
const wrongMode = refuse('parameter_invalid', 'The mode must be `test` or `live`.', 'mode');

export function staffFinder({
  store,
  clock,
  secretBox,
  cookie,
}: {
  readonly store: Store;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  readonly cookie: SessionCookie;
}): StaffFinder {
  const csrfToken = ({ id }: Pick<DashboardSession, 'id'>): string => secretBox.derive('csrf token', id);

  return {
    csrfToken,
    hasCsrfToken: ({ headers }, session) => same(String(headers['x-csrf-token'] ?? ''), csrfToken(session)),
    look: (request) => findBy(request, false),
    find: (request) => findBy(request, !isBackground(request)),
  };

  async function findBy(request: HttpRequest, counts: boolean): Promise<StaffAccess | Refusal> {
    const token = cookie.tokenIn(request.headers);
    if (token === '') return signInRequired;
    const found = await store.findBy('signedIn', 'hash', hashToken(token));
    const now = clock.now();
    if (found === null || !isLive(found, now)) return signInRequired;
    const { user } = found;
    const memberships = await membershipsOf(store, user.id);
    if (memberships.length === 0) return signInRequired;
    const session = counts ? await touched(store, found.session, now) : found.session;
    const scope = scopeOf(request, session, memberships);
    if (isRefusal(scope)) return scope;
    const { membership, livemode } = scope;
    const merchant = await store.findBy('merchants', 'id', membership.merchantId);
    if (merchant === null) return merchantNotFound;
    const staff: Staff = {
      ...{ merchantId: merchant.id, livemode, merchant, keyId: user.id },
      ...{ userId: user.id, email: user.email, role: membership.role, sessionId: session.id, ip: request.ip },
    };
    return { staff, session, user, memberships };
  }
}

/** An open page reconnects to its live updates, and reads what has changed, whether or not anybody looks at it. */
function isBackground({ headers }: HttpRequest): boolean {
  return headers.accept === 'text/event-stream' || headers['paydesk-background'] !== undefined;
}

/** If another request has changed the session meanwhile, its version is stored already. */
async function touched(store: Store, session: DashboardSession, now: number): Promise<DashboardSession> {
  const changed = used(session, now);
  if (changed === null) return session;
  const { committed } = await store.commit({ dashboardSessions: [changed] });
  return committed ? { ...changed, version: changed.version + 1 } : session;
}

/** Named by headers, or by the query where a browser cannot set headers; otherwise what the session last used. */
function scopeOf(
  { headers, query }: HttpRequest,
  session: DashboardSession,
  memberships: readonly Membership[],
): { readonly membership: Membership; readonly livemode: boolean } | Refusal {
  const wanted = headers['paydesk-merchant'] ?? query.get('merchant');
  const mode = headers['paydesk-mode'] ?? query.get('mode');
  if (mode !== null && mode !== 'test' && mode !== 'live') return wrongMode;
  const [first] = memberships;
  const named = memberships.find(({ merchantId }) => merchantId === (wanted ?? session.lastMerchantId));
  // The user may have left the merchant that the session last used.
  const membership = named ?? (wanted === null ? first : undefined);
  if (membership === undefined) return merchantNotFound;
  return { membership, livemode: mode === null ? session.lastLivemode : mode === 'live' };
}

function same(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
