// Calls the handler of a dashboard route directly, as staff of a merchant: who may call it is tested elsewhere.

import assert from 'node:assert/strict';
import type { Scope } from '../../src/domain/merchant.ts';
import type { DashboardResponse, DashboardRoute, Staff } from '../../src/http/dashboard/route.ts';
import { queryCheck } from '../../src/http/validate.ts';
import { aMerchant } from '../support/records.ts';

export function staffOf(scope: Scope): Staff {
  return {
    ...scope,
    merchant: aMerchant({ id: scope.merchantId }),
    keyId: 'usr_1',
    userId: 'usr_1',
    email: 'staff@shop.example',
    role: 'support',
    sessionId: 'ses_1',
    ip: '127.0.0.1',
  };
}

/** The query is checked as it would be over HTTP. */
export async function call(
  routes: readonly DashboardRoute[],
  scope: Scope,
  path: string,
  query: Readonly<Record<string, string>> = {},
  id = '',
): Promise<DashboardResponse> {
  const route = routes.find((candidate) => candidate.method === 'GET' && candidate.path === path);
  assert.ok(route !== undefined, `there is a route for ${path}`);
  const given = { ...query };
  assert.equal(queryCheck(route.query)(given), null);
  const response = await route.handle({ staff: staffOf(scope), id, query: given, body: {}, headers: {} });
  assert.ok('status' in response, JSON.stringify(response));
  return response;
}

export async function bodyOf<T>(response: Promise<DashboardResponse>): Promise<T> {
  return (await response).body as T;
}
