// A response that cannot be sent: the client still gets an error, never a connection that just ends.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { HttpReply, Route } from '../../src/http/route.ts';
import { serveRoutes } from '../support/bare-http.ts';

const broken: HttpReply = { status: 303, headers: { Location: 'https://shop.example/☕' }, body: '' };
const page: HttpReply = {
  status: 500,
  headers: { 'Content-Type': 'text/html' },
  body: '<h1>Something went wrong</h1>',
};
const routes: Route[] = [
  { method: 'GET', path: '/at-once', handle: () => broken },
  { method: 'GET', path: '/later', handle: async () => broken },
  { method: 'GET', path: '/page', handle: async () => broken, fault: () => page },
  { method: 'GET', path: '/page-too', handle: async () => broken, fault: () => broken },
];

describe('A response that cannot be sent', () => {
  for (const path of ['/at-once', '/later', '/page-too']) {
    it(`becomes an internal_error: ${path}`, async (t) => {
      const { url } = await serveRoutes(t, routes);
      const response = await fetch(`${url}${path}`, { redirect: 'manual' });
      assert.equal(response.status, 500);
      assert.match(response.headers.get('request-id') ?? '', /^req_/);
      const { error } = (await response.json()) as { error: { code: string } };
      assert.equal(error.code, 'internal_error');
    });
  }

  it("becomes the route's own error page if it has one", async (t) => {
    const { url } = await serveRoutes(t, routes);
    const response = await fetch(`${url}/page`, { redirect: 'manual' });
    assert.equal(response.status, 500);
    assert.equal(await response.text(), page.body);
  });
});
