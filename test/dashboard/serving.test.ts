// How routes of the dashboard are served: their audit entries, idempotency keys and streams. With routes of the test, and a
// real database.

import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { it } from 'node:test';
import { ended, newSession } from '../../src/domain/dashboard-session.ts';
import { momentAt } from '../../src/domain/moment.ts';
import { secretBox } from '../../src/domain/secret-box.ts';
import { newMembership, newUser } from '../../src/domain/user.ts';
import { auditedCommits } from '../../src/http/dashboard/audited-commits.ts';
import { type DashboardRoute, dashboardRoute } from '../../src/http/dashboard/route.ts';
import { dashboardRoutes } from '../../src/http/dashboard/serve-dashboard.ts';
import { sessionCookie } from '../../src/http/dashboard/session-cookie.ts';
import { staffFinder } from '../../src/http/dashboard/signed-in-staff.ts';
import { idempotency } from '../../src/http/idempotency.ts';
import { PushStream } from '../../src/http/push-stream.ts';
import type { HttpReply } from '../../src/http/route.ts';
import { Type } from '../../src/http/schema.ts';
import type { Store } from '../../src/storage/store.ts';
import { updateMerchant } from '../../src/usecases/update-merchant.ts';
import { mustCommit } from '../support/committing.ts';
import { type CleansUp, describeOnEachEngine, type Engine, freshStore } from '../support/engines.ts';
import { startOfTests } from '../support/fake-clock.ts';
import { secretKey } from '../support/paydesk.ts';
import { aMerchant, aPaymentLink } from '../support/records.ts';
import { until } from '../support/until.ts';

const clock = { now: () => startOfTests };
const moment = () => momentAt(startOfTests, randomBytes);

/** A signed-in owner, and the routes that a test defines with a store that is audited as in the app. */
async function scene(test: CleansUp, engine: Engine, routesWith: (store: Store) => DashboardRoute[]) {
  const { store: bare } = await freshStore(test, engine);
  const audit = auditedCommits(moment);
  const store: Store = { ...bare, commit: (changes) => audit.commit(changes, (complete) => bare.commit(complete)) };
  const box = secretBox(secretKey, randomBytes);
  const merchant = aMerchant();
  const user = newUser('ana@shop.example', 'Ana', moment());
  const scope = { merchantId: merchant.id, livemode: false };
  const { session, token } = newSession(user, scope, { ip: '::1', userAgent: '' }, moment(), randomBytes);
  const membership = newMembership({ merchantId: merchant.id, userId: user.id, role: 'owner' }, null, moment());
  const people = { users: [user], memberships: [membership], dashboardSessions: [session] };
  await mustCommit(bare, { merchants: [merchant], ...people });
  const cookie = sessionCookie('https://pay.test.example');
  const staff = staffFinder({ store, clock, secretBox: box, cookie });
  const routes = dashboardRoutes(routesWith(store), [], {
    ...{ staff, audit, isOwnForm: () => true, rateLimiter: null, onRateLimited: () => {} },
    ...{ runOnce: idempotency({ store, clock, secretBox: box }), now: clock.now, checkStreamsEveryMs: 5 },
  });
  async function send(body: unknown = {}, headers: Record<string, string> = {}): Promise<HttpReply> {
    const [route] = routes;
    assert.ok(route !== undefined);
    return route.handle({
      ...{ requestId: 'req_1', method: route.method, path: route.path, id: '', ip: '203.0.113.9', protocol: 'https' },
      startedAt: performance.now(),
      query: new URLSearchParams(),
      headers: {
        cookie: `__Host-paydesk_session=${token}`,
        'content-type': 'application/json',
        'x-csrf-token': staff.csrfToken(session),
        ...headers,
      },
      body: async () => Buffer.from(JSON.stringify(body)),
    });
  }
  const entries = () => bare.list('auditEntries', { where: { merchantId: merchant.id }, limit: 10 });
  return { bare, store, merchant, user, session, send, entries };
}

describeOnEachEngine('A route of the dashboard', (engine) => {
  it('has its audit entry in the first commit that changes something, and in no other', async (t) => {
    const made = aPaymentLink();
    const { send, entries, user, merchant, bare } = await scene(t, engine, (store) => [
      dashboardRoute({
        method: 'POST',
        path: '/links',
        may: 'operate',
        body: Type.Object({ amount: Type.Integer() }),
        audit: { action: 'payment_link.created', details: ({ amount }) => ({ amount }) },
        async handle() {
          await store.commit({ facts: [{ name: 'write_probe', value: '1' }] });
          await mustCommit(store, { paymentLinks: [made] });
          await mustCommit(store, { paymentLinks: [aPaymentLink()] });
          return { status: 201, body: {} };
        },
      }),
    ]);
    assert.equal((await send({ amount: 5 })).status, 201);
    const [entry, ...others] = await entries();
    assert.deepEqual(others, []);
    assert.ok(entry !== undefined);
    const { id: _, ...known } = entry;
    assert.deepEqual(known, {
      ...{ actor: `user:${user.id}`, action: 'payment_link.created', subject: made.id, merchantId: merchant.id },
      ...{ email: user.email, ip: '203.0.113.9', details: { livemode: false, amount: 5 }, createdAt: startOfTests },
    });
    assert.ok((await bare.find('paymentLinks', made, made.id)) !== null);
  });

  it('has no entry if nothing is committed, or the commit conflicts', async (t) => {
    const { send, entries } = await scene(t, engine, (store) => [
      dashboardRoute({
        method: 'POST',
        path: '/links',
        may: 'operate',
        audit: { action: 'payment_link.created' },
        async handle() {
          const outcome = await store.commit({ paymentLinks: [{ ...aPaymentLink(), version: 7 }] });
          return { status: outcome.committed ? 201 : 409, body: {} };
        },
      }),
    ]);
    assert.equal((await send()).status, 409);
    assert.deepEqual(await entries(), []);
  });

  it('marks the entry that a use case writes itself, and adds no second one', async (t) => {
    const { send, entries, user } = await scene(t, engine, (store) => [
      dashboardRoute({
        method: 'PATCH',
        path: '/settings',
        may: 'settings',
        audit: { action: 'merchant.updated' },
        async handle({ staff }) {
          await updateMerchant({ store, moment, actor: staff.keyId }, staff.merchantId, { name: 'New name' });
          return { status: 200, body: {} };
        },
      }),
    ]);
    assert.equal((await send()).status, 200);
    const all = await entries();
    assert.deepEqual(
      all.map(({ actor, email, ip, details }) => ({ actor, email, ip, details })),
      [
        {
          ...{ actor: `user:${user.id}`, email: user.email, ip: '203.0.113.9' },
          details: { name: { from: 'Shop of Tests', to: 'New name' } },
        },
      ],
    );
  });

  it('is not named for what other work commits after its response', async (t) => {
    const { promise: later, resolve: goOn } = Promise.withResolvers<void>();
    let done: Promise<void> = Promise.resolve();
    const { send, entries } = await scene(t, engine, (store) => [
      dashboardRoute({
        method: 'POST',
        path: '/links',
        may: 'operate',
        audit: { action: 'payment_link.created' },
        async handle() {
          done = later.then(() => mustCommit(store, { paymentLinks: [aPaymentLink()] })).then(() => {});
          return { status: 200, body: {} };
        },
      }),
    ]);
    await send();
    goOn();
    await done;
    assert.deepEqual(await entries(), []);
  });

  it('takes effect once with an idempotency key', async (t) => {
    let runs = 0;
    const { send, entries } = await scene(t, engine, (store) => [
      dashboardRoute({
        method: 'POST',
        path: '/links',
        may: 'operate',
        idempotent: true,
        body: Type.Object({}),
        audit: { action: 'payment_link.created' },
        async handle({ once }) {
          runs += 1;
          const response = { status: 201, body: { runs } };
          const idempotencyRecords = once === undefined ? [] : [once.receipt(response)];
          await mustCommit(store, { paymentLinks: [aPaymentLink()], idempotencyRecords });
          return response;
        },
      }),
    ]);
    const headers = { 'idempotency-key': randomUUID() };
    const [first, second] = [await send({}, headers), await send({}, headers)];
    assert.deepEqual([first.body, second.body], ['{"runs":1}', '{"runs":1}']);
    assert.equal(second.headers['Idempotent-Replayed'], 'true');
    assert.equal((await entries()).length, 1);
  });

  it('ends its stream when the session ends or the role is lost, as if there were no more to tell', async (t) => {
    const { send, bare, session, user, merchant, streams } = await streamingScene(t, engine);
    const accept = { accept: 'text/event-stream' };
    assert.equal((await send({}, accept)).headers['Content-Type'], 'text/event-stream');
    const membership = { merchantId: merchant.id, userId: user.id };
    const [stored] = await bare.list('memberships', { where: membership, limit: 1 });
    assert.ok(stored !== undefined);
    const first = watched(streams[0]);
    assert.equal(first.ended, false);
    await mustCommit(bare, { memberships: [{ ...stored, role: 'support' }] });
    await until('the stream has ended', () => first.ended);
    streams[0]?.send('too late');
    await until('the stream is closed', () => first.closed);
    assert.equal(first.text, '');
    await mustCommit(bare, { memberships: [{ ...stored, version: stored.version + 1 }] });
    await send({}, accept);
    const second = watched(streams[1]);
    await mustCommit(bare, { dashboardSessions: [ended({ ...session, version: 1 }, startOfTests)] });
    await until('the stream has ended', () => second.ended);
  });

  it('closes a stream that nobody reads to its end', async (t) => {
    const { send, bare, session, streams } = await streamingScene(t, engine);
    await send({});
    streams[0]?.send('unread');
    await mustCommit(bare, { dashboardSessions: [ended({ ...session, version: 1 }, startOfTests)] });
    await until('the stream is closed', () => streams[0]?.destroyed === true);
  });

  it('breaks a download off when the session ends, so that nobody takes it for complete', async (t) => {
    const download = new Readable({ read() {} });
    const { send, bare, session } = await scene(t, engine, () => [
      dashboardRoute({
        method: 'GET',
        path: '/payments/export',
        may: 'read',
        handle: async () => ({ status: 200, body: undefined, stream: download, mediaType: 'text/csv' }),
      }),
    ]);
    await send({});
    const reading = watched(download);
    await mustCommit(bare, { dashboardSessions: [ended({ ...session, version: 1 }, startOfTests)] });
    await until('the stream is closed', () => reading.closed);
    assert.equal(reading.ended, false);
  });

  it('ends its stream when the user is removed from the merchant, although they work for another one', async (t) => {
    const { send, bare, user, merchant, streams } = await streamingScene(t, engine);
    const other = aMerchant();
    const membership = newMembership({ merchantId: other.id, userId: user.id, role: 'owner' }, null, moment());
    await mustCommit(bare, { merchants: [other], memberships: [membership] });
    await send({});
    const reading = watched(streams[0]);
    const where = { merchantId: merchant.id, userId: user.id };
    const [stored] = await bare.list('memberships', { where, limit: 1 });
    assert.ok(stored !== undefined);
    await mustCommit(bare, { memberships: [{ ...stored, removedAt: startOfTests }] });
    await until('the stream has ended', () => reading.ended);
  });

  it('ends its stream when the merchant begins to require a second factor that the user has not got', async (t) => {
    const { send, bare, merchant, streams } = await streamingScene(t, engine);
    await send({});
    const reading = watched(streams[0]);
    const stored = await bare.findBy('merchants', 'id', merchant.id);
    assert.ok(stored !== null);
    await mustCommit(bare, { merchants: [{ ...stored, requiresSecondFactor: true }] });
    await until('the stream has ended', () => reading.ended);
  });
});

async function streamingScene(test: CleansUp, engine: Engine) {
  const streams: PushStream[] = [];
  const route = dashboardRoute({
    method: 'GET',
    path: '/updates',
    may: 'develop',
    async handle() {
      const stream = new PushStream({ highWaterMark: 1_000 });
      streams.push(stream);
      return { status: 200, body: undefined, stream };
    },
  });
  return { ...(await scene(test, engine, () => [route])), streams };
}

/** What a client notices of a stream. */
function watched(stream: Readable | undefined) {
  assert.ok(stream !== undefined);
  const noticed = { text: '', ended: false, closed: false };
  stream.on('data', (chunk) => {
    noticed.text += String(chunk);
  });
  stream.once('end', () => {
    noticed.ended = true;
  });
  stream.once('close', () => {
    noticed.closed = true;
  });
  return noticed;
}
