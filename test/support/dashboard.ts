// Users of the dashboard, signed in, and requests as the dashboard's pages send them.

import { randomBytes } from 'node:crypto';
import { newSession } from '../../src/domain/dashboard-session.ts';
import { momentAt } from '../../src/domain/moment.ts';
import { hashPassword } from '../../src/domain/password-hash.ts';
import { newMembership, newUser, type User } from '../../src/domain/user.ts';
import type { Role } from '../../src/domain/user-role.ts';
import type { ApiResponse, Fields } from './api-client.ts';
import { isFields } from './api-client.ts';
import { mustCommit } from './committing.ts';
import { lowPasswordCost } from './password-cost.ts';
import type { Paydesk, TestMerchant } from './paydesk.ts';

export interface DashboardOptions {
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

export interface DashboardClient {
  readonly user: User;
  readonly cookie: string;
  readonly csrfToken: string;
  get(path: string, options?: DashboardOptions): Promise<ApiResponse>;
  post(path: string, body?: unknown, options?: DashboardOptions): Promise<ApiResponse>;
  patch(path: string, body: unknown, options?: DashboardOptions): Promise<ApiResponse>;
  delete(path: string, options?: DashboardOptions): Promise<ApiResponse>;
  /** Paths are below `/dashboard/api`. A header that is undefined is not sent. */
  send(method: string, path: string, body?: unknown, options?: DashboardOptions): Promise<ApiResponse>;
}

let users = 0;

/**
 * A new user with that role at the merchant, with a session that has just begun, in test mode. Without a password, which
 * would take half a second: only tests of signing in need one.
 */
export async function signIn(
  { url, store, clock, secretBox }: Paydesk,
  { merchant }: Pick<TestMerchant, 'merchant'>,
  role: Role = 'owner',
  overrides: Partial<User> = {},
): Promise<DashboardClient> {
  const moment = momentAt(clock.now(), randomBytes);
  users += 1;
  const user: User = { ...newUser(`user${users}@staff.example`, `User ${users}`, moment), ...overrides };
  const scope = { merchantId: merchant.id, livemode: false };
  const { session, token } = newSession(user, scope, { ip: '127.0.0.1', userAgent: 'test' }, moment, randomBytes);
  await mustCommit(store, {
    users: [user],
    memberships: [newMembership({ merchantId: merchant.id, userId: user.id, role }, null, moment)],
    dashboardSessions: [session],
  });
  const csrfToken = secretBox.derive('csrf token', session.id);
  return dashboardClient(url, user, { cookie: `__Host-paydesk_session=${token}`, csrfToken });
}

/** `cookie`: as in the Cookie header. Paydesk in tests is at an https address unless settings say otherwise. */
export function dashboardClient(
  url: string,
  user: User,
  { cookie, csrfToken }: { readonly cookie: string; readonly csrfToken: string },
): DashboardClient {
  async function send(method: string, path: string, body?: unknown, options: DashboardOptions = {}) {
    const headers = {
      Cookie: cookie,
      ...(method === 'GET' ? {} : { 'X-CSRF-Token': csrfToken }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...options.headers,
    };
    const sent = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return dashboardResponse(
      await fetch(`${url}/dashboard/api${path}`, {
        method,
        redirect: 'manual',
        headers: sent,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
  }
  return {
    ...{ user, cookie, csrfToken, send },
    get: (path, options) => send('GET', path, undefined, options),
    post: (path, body = {}, options) => send('POST', path, body, options),
    patch: (path, body, options) => send('PATCH', path, body, options),
    delete: (path, options) => send('DELETE', path, undefined, options),
  };
}

export async function dashboardResponse(response: Response): Promise<ApiResponse> {
  const { status, headers } = response;
  const text = await response.text();
  const isJson = text !== '' && headers.get('content-type')?.startsWith('application/json') === true;
  const parsed: unknown = isJson ? JSON.parse(text) : {};
  const body: Fields = isFields(parsed) ? parsed : {};
  return { status, headers, text, body, error: isFields(body.error) ? body.error : {} };
}

/** A request without a session. */
export async function postOpenly(
  { url }: Pick<Paydesk, 'url'>,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<ApiResponse> {
  return dashboardResponse(
    await fetch(`${url}/dashboard/api${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    }),
  );
}

/** The session that a response began. */
export function begunSession(url: string, user: User, response: ApiResponse): DashboardClient {
  const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';');
  return dashboardClient(url, user, { cookie, csrfToken: String(response.body.csrf_token) });
}

export const goodPassword = 'correct horse battery staple';
const hashed = hashPassword(goodPassword, randomBytes, lowPasswordCost);

/** A user with the good password, hashed with little effort, who works for these merchants. */
export async function userWithPassword(
  { store, clock }: Paydesk,
  merchants: readonly Pick<TestMerchant, 'merchant'>[],
  role: Role = 'owner',
  overrides: Partial<User> = {},
): Promise<User> {
  const moment = momentAt(clock.now(), randomBytes);
  users += 1;
  const made = newUser(`user${users}@staff.example`, `User ${users}`, moment);
  const user: User = { ...made, passwordHash: await hashed, ...overrides };
  const memberships = merchants.map(({ merchant }, at) => ({
    ...newMembership({ merchantId: merchant.id, userId: user.id, role }, null, moment),
    createdAt: moment.now + at,
  }));
  await mustCommit(store, { users: [user], memberships });
  const stored = await store.findBy('users', 'id', user.id);
  if (stored === null) throw new Error('the user was not stored');
  return stored;
}
