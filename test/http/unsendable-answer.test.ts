// An answer that cannot be sent as it is: the client still gets one, never a connection that just ends.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import type { HttpReply, Route } from '../../src/http/route.ts';
import { closeServer, createServer, listen } from '../../src/http/server.ts';
import { loggingTo } from '../../src/log.ts';
import { createMetrics } from '../../src/metrics.ts';
import { fakeClock } from '../support/fake-clock.ts';

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

describe('An answer that cannot be sent', () => {
  const { log, logRequest } = loggingTo('silent', new Writable({ write: (_chunk, _encoding, done) => done() }));
  const server = createServer({
    ...{ log, logRequest, routes, metrics: createMetrics(), clock: fakeClock(), random: randomBytes },
    trustedProxies: [],
    watchClient: () => {},
    loggedAddress: () => undefined,
    notFound: () => broken,
  });
  let url: string;
  before(async () => {
    url = await listen(server, '127.0.0.1', 0);
  });
  after(() => closeServer(server));

  for (const path of ['/at-once', '/later', '/nowhere', '/page-too']) {
    it(`becomes an error of ours: ${path}`, async () => {
      const answer = await fetch(`${url}${path}`, { redirect: 'manual' });
      assert.equal(answer.status, 500);
      assert.match(answer.headers.get('request-id') ?? '', /^req_/);
      const { error } = (await answer.json()) as { error: { code: string } };
      assert.equal(error.code, 'internal_error');
    });
  }

  it("becomes the route's own page where it has one", async () => {
    const answer = await fetch(`${url}/page`, { redirect: 'manual' });
    assert.equal(answer.status, 500);
    assert.equal(await answer.text(), page.body);
  });
});
