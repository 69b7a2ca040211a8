// Walks over every route of the dashboard, including those that are added later: who may not call it is refused before the
// handler runs.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { newId } from '../../src/domain/ids.ts';
import { isAllowed, roles } from '../../src/domain/user-role.ts';
import { type ApiDeps, allApiRoutes } from '../../src/http/api/api-routes.ts';
import { allDashboardRoutes, allOpenRoutes, type DashboardDeps } from '../../src/http/dashboard/dashboard-routes.ts';
import type { DashboardRoute } from '../../src/http/dashboard/route.ts';
import type { ApiResponse } from '../support/api-client.ts';
import { type DashboardClient, type DashboardOptions, dashboardResponse, signIn } from '../support/dashboard.ts';
import { sqlite } from '../support/engines.ts';
import { paydeskForSuite, startPaydesk } from '../support/paydesk.ts';

/** Handlers are not run, so nothing that they need has to exist. */
const anything: unknown = new Proxy(() => anything, { get: () => anything });
const api = allApiRoutes(anything as ApiDeps);
const deps = new Proxy({}, { get: (_, name) => (name === 'api' ? api : anything) }) as DashboardDeps;
const routes = allDashboardRoutes(deps);
const openRoutes = allOpenRoutes(deps);

const nowhere = new Uint8Array(20);
const pathOf = ({ path, id }: DashboardRoute): string =>
  path.replace(':id', id === undefined ? 'x' : newId(id.prefix, 0, () => nowhere));
const nameOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;
/** No schema accepts it, in the body or the query: a route that is allowed refuses it instead of doing something. */
const nonsense = { nonsense_of_the_test: true };
const bodyOf = (route: DashboardRoute): unknown => (route.method === 'GET' ? undefined : nonsense);

function call(client: DashboardClient, route: DashboardRoute, options: DashboardOptions = {}): Promise<ApiResponse> {
  return client.send(route.method, `${pathOf(route)}?nonsense_of_the_test=1`, bodyOf(route), options);
}

/** The routes whose response is not the expected one. */
async function wrong(
  expected: { readonly status: number; readonly code: string },
  send: (route: DashboardRoute) => Promise<ApiResponse>,
  among: readonly DashboardRoute[] = routes,
): Promise<string[]> {
  const found: string[] = [];
  for (const route of among) {
    const { status, error } = await send(route);
    if (status !== expected.status || error.code !== expected.code)
      found.push(`${nameOf(route)}: ${status} ${error.code}`);
  }
  return found;
}

describe('Every route of the dashboard', () => {
  const paydesk = paydeskForSuite(sqlite);

  it('is known to this test', () => {
    assert.ok(routes.length >= 20, 'the routes are found');
    assert.deepEqual(
      openRoutes.map(nameOf).toSorted(),
      [
        'GET /session',
        'POST /session',
        'POST /session/second-factor',
        'POST /set-password',
        'POST /set-password/look-up',
      ],
      'a route without a session is a decision of its own',
    );
  });

  it('refuses requests without a session, and with an API key', async () => {
    const { test } = await paydesk().newMerchant();
    const client = await signIn(paydesk(), await paydesk().newMerchant());
    const required = { status: 401, code: 'sign_in_required' };
    assert.deepEqual(await wrong(required, (route) => call(client, route, { headers: { Cookie: undefined } })), []);
    const withKey = { headers: { Cookie: undefined, Authorization: `Bearer ${test.key}` } };
    assert.deepEqual(await wrong(required, (route) => call(client, route, withKey)), []);
    const made = { headers: { Cookie: `__Host-paydesk_session=${'0'.repeat(52)}` } };
    assert.deepEqual(await wrong(required, (route) => call(client, route, made)), []);
  });

  it('refuses changes without the token of the session', async () => {
    const shop = await paydesk().newMerchant();
    const [client, other] = [await signIn(paydesk(), shop), await signIn(paydesk(), shop)];
    const changing = routes.filter(({ method }) => method !== 'GET');
    const refused = { status: 403, code: 'csrf_token_invalid' };
    for (const token of [undefined, '', other.csrfToken]) {
      const headers = { 'X-CSRF-Token': token };
      assert.deepEqual(await wrong(refused, (route) => call(client, route, { headers }), changing), []);
    }
  });

  it('refuses requests from other sites', async () => {
    const client = await signIn(paydesk(), await paydesk().newMerchant());
    const refused = { status: 403, code: 'origin_not_allowed' };
    for (const headers of [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
    ]) {
      assert.deepEqual(await wrong(refused, (route) => call(client, route, { headers })), []);
      for (const { method, path } of openRoutes) {
        const response = await dashboardResponse(
          await fetch(`${paydesk().url}/dashboard/api${path}`, {
            method,
            headers: { 'Content-Type': 'application/json', ...headers },
            ...(method === 'GET' ? {} : { body: '{}' }),
          }),
        );
        assert.equal(response.error.code, 'origin_not_allowed', `${method} ${path}`);
      }
    }
  });

  it('refuses merchants that the user does not work for', async () => {
    const client = await signIn(paydesk(), await paydesk().newMerchant());
    const { merchant } = await paydesk().newMerchant();
    const refused = { status: 404, code: 'merchant_not_found' };
    const headers = { 'Paydesk-Merchant': merchant.id };
    assert.deepEqual(await wrong(refused, (route) => call(client, route, { headers })), []);
    const inQuery = (route: DashboardRoute) =>
      client.send(route.method, `${pathOf(route)}?merchant=${merchant.id}`, bodyOf(route));
    assert.deepEqual(await wrong(refused, inQuery), []);
  });

  for (const role of roles) {
    it(`refuses a user with the role ${role} what that role may not do, and nothing else`, async () => {
      const client = await signIn(paydesk(), await paydesk().newMerchant(), role);
      for (const route of routes) {
        const { status, error } = await call(client, route);
        const isRefused = status === 403 && error.code === 'role_not_allowed';
        assert.equal(isRefused, !isAllowed(role, route.may), `${nameOf(route)}: ${status} ${String(error.code)}`);
      }
    });
  }

  it('asks for the password again before sensitive actions', async () => {
    const client = await signIn(paydesk(), await paydesk().newMerchant());
    const sensitive = routes.filter((route) => route.sensitive === true);
    assert.ok(sensitive.length >= 8);
    paydesk().clock.advance(600_000);
    const refused = { status: 403, code: 'password_required' };
    assert.deepEqual(await wrong(refused, (route) => call(client, route), sensitive), []);
    paydesk().clock.advance(-600_000);
  });

  it('asks for a second factor if the merchant requires one, except for the own account', async () => {
    const shop = await paydesk().newMerchant();
    const client = await signIn(paydesk(), shop);
    const { store } = paydesk();
    const merchant = await store.findBy('merchants', 'id', shop.merchant.id);
    assert.ok(merchant !== null);
    await store.commit({ merchants: [{ ...merchant, requiresSecondFactor: true }] });
    const refused = { status: 403, code: 'second_factor_required' };
    const others = routes.filter(({ may }) => may !== 'self');
    assert.deepEqual(await wrong(refused, (route) => call(client, route), others), []);
  });

  it('is refused everywhere but on the dashboard with the cookie of a session', async () => {
    const client = await signIn(paydesk(), await paydesk().newMerchant());
    for (const path of ['/me', '/payment-intents', '/checkout-sessions', '/webhook-endpoints', '/events']) {
      const response = await fetch(`${paydesk().url}${path}`, { headers: { Cookie: client.cookie } });
      assert.equal(response.status, 401, path);
    }
  });

  it('answers with the headers that forbid storing and embedding it', async () => {
    const client = await signIn(paydesk(), await paydesk().newMerchant());
    for (const route of routes) {
      const { headers } = await call(client, route);
      assert.equal(headers.get('cache-control'), 'no-store', nameOf(route));
      assert.equal(headers.get('vary'), 'Cookie', nameOf(route));
      assert.equal(headers.get('x-content-type-options'), 'nosniff', nameOf(route));
      assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin', nameOf(route));
      assert.equal(headers.get('access-control-allow-origin'), null, nameOf(route));
    }
  });

  it('names the session cookie plainly on http', async (t) => {
    const local = await startPaydesk(t, sqlite, { settings: { PAYDESK_PUBLIC_URL: 'http://localhost:4020' } });
    const client = await signIn(local, await local.newMerchant());
    const plain = client.cookie.replace('__Host-', '');
    assert.equal((await client.get('/team', { headers: { Cookie: plain } })).status, 200);
    assert.equal((await client.get('/team')).status, 401);
    const out = await client.delete('/session', { headers: { Cookie: plain, 'Idempotency-Key': randomUUID() } });
    assert.match(
      out.headers.get('set-cookie') ?? '',
      /^paydesk_session=; Path=\/; HttpOnly; SameSite=Strict; Max-Age=0$/,
    );
  });
});
