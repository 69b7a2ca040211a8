// One Idempotency-Key on captures, cancels and refunds, whatever happens between the steps of the operation: the first
// request takes effect once and gets its response; every other request with the key is refused and has no effect.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import { operationIdForKey } from '../../src/domain/operation.ts';
import { type ApiResponse, assertRefused, entriesOf, type Fields, must } from '../support/api-client.ts';
import { describeOnEachEngine, type Engine } from '../support/engines.ts';
import { startPaydesk } from '../support/paydesk.ts';
import { runSql } from '../support/run-sql.ts';
import { until } from '../support/until.ts';
import {
  atAcquirer,
  authorisedSession,
  intentPath,
  manyDeclines,
  openShop,
  paidSession,
  paymentState,
  type Shop,
} from './scene.ts';
import { type Faults, settles, unreliable } from './unreliable.ts';

const keyed = (key: string) => ({ headers: { 'Idempotency-Key': key } });
const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const reused = { status: 422, code: 'idempotency_key_reused' } as const;

async function scene(
  t: { after(work: () => Promise<void>): void },
  engine: Engine,
): Promise<Shop & { faults: Faults }> {
  const { faults, storage } = unreliable();
  const settings = { ...manyDeclines, PAYDESK_ACQUIRER_TIMEOUT: '10' };
  const paydesk = await startPaydesk(t, engine, { settings, storage });
  return { ...(await openShop(paydesk)), faults };
}

interface Case {
  readonly name: string;
  readonly call: '/refund' | '/capture' | '/cancel';
  readonly open: (shop: Shop) => Promise<Fields>;
  readonly body: Fields;
  /** Bodies that make a different request to the same path. */
  readonly others: readonly Fields[];
  readonly status: number;
  /** The final state at the acquirer. */
  readonly acquirerState: Fields;
}

const cases: readonly Case[] = [
  {
    name: 'refund',
    call: '/refund',
    open: paidSession,
    body: { amount: 300, reason: 'torn' },
    others: [{ amount: 301, reason: 'torn' }, { amount: 300 }, { reason: 'torn' }, {}, { amount: 300, reason: 'lost' }],
    status: 201,
    acquirerState: { status: 'captured', amountCaptured: 1250, amountRefunded: 300 },
  },
  {
    name: 'refund of everything',
    call: '/refund',
    open: paidSession,
    body: {},
    others: [{ amount: 1250 }, { amount: 1 }],
    status: 201,
    acquirerState: { status: 'captured', amountCaptured: 1250, amountRefunded: 1250 },
  },
  {
    name: 'capture',
    call: '/capture',
    open: authorisedSession,
    body: { amount_to_capture: 700 },
    others: [{ amount_to_capture: 701 }, {}],
    status: 200,
    acquirerState: { status: 'captured', amountCaptured: 700, amountRefunded: 0 },
  },
  {
    name: 'capture of everything',
    call: '/capture',
    open: authorisedSession,
    body: {},
    others: [{ amount_to_capture: 1250 }],
    status: 200,
    acquirerState: { status: 'captured', amountCaptured: 1250, amountRefunded: 0 },
  },
  {
    name: 'cancel',
    call: '/cancel',
    open: authorisedSession,
    body: { cancellation_reason: 'abandoned' },
    others: [{ cancellation_reason: 'other' }, {}],
    status: 200,
    acquirerState: { status: 'voided', amountCaptured: 0, amountRefunded: 0 },
  },
];

async function assertAcquirerState(shop: Shop, session: Fields, acquirerState: Fields): Promise<void> {
  const { status, amountCaptured, amountRefunded } = await atAcquirer(shop, session);
  assert.deepEqual({ status, amountCaptured, amountRefunded }, acquirerState);
  const { intent } = await paymentState(shop, session);
  assert.deepEqual([intent.amount_captured, intent.amount_refunded], [amountCaptured, amountRefunded]);
}

/** Any other use of the key, by mistake, must have no effect. */
async function assertKeyReserved(shop: Shop, session: Fields, key: string, { call, others }: Case): Promise<void> {
  const { test } = shop.merchant;
  const [paid, held, open] = [await paidSession(shop), await authorisedSession(shop), await shop.merchant.newSession()];
  const before = entriesOf(await test.get('/checkout-sessions?limit=100')).length;
  const requests: [string, Fields][] = [
    ...others.map((body): [string, Fields] => [intentPath(session, call), body]),
    ...(['/refund', '/capture', '/cancel'] as const)
      .filter((other) => other !== call)
      .map((other): [string, Fields] => [intentPath(session, other), {}]),
    [intentPath(paid, '/refund'), {}],
    [intentPath(held, '/capture'), {}],
    [intentPath(held, '/cancel'), {}],
    [intentPath(open, '/cancel'), {}],
    [`/checkout-sessions/${open.id}/expire`, {}],
    ['/checkout-sessions', { amount: 1250, currency: 'EUR' }],
    ['/webhook-endpoints', { url: 'https://shop.example/webhooks' }],
  ];
  const responses = await Promise.all(requests.map(([path, body]) => test.post(path, body, keyed(key))));
  for (const response of responses) assertRefused(response, reused);
  assert.equal(entriesOf(await test.get('/checkout-sessions?limit=100')).length, before);
  assert.deepEqual(entriesOf(await test.get('/webhook-endpoints')), []);
  await assertAcquirerState(shop, paid, { status: 'captured', amountCaptured: 1250, amountRefunded: 0 });
  await assertAcquirerState(shop, held, { status: 'authorised', amountCaptured: 0, amountRefunded: 0 });
  assert.equal((await paymentState(shop, open)).session.status, 'open');
}

describeOnEachEngine('One Idempotency-Key', (engine) => {
  for (const one of cases) {
    it(`belongs to the ${one.name} that it was first used for, in flight and after`, async (t) => {
      const shop = await scene(t, engine);
      const { test, scope } = shop.merchant;
      const session = await one.open(shop);
      const key = randomUUID();
      const send = (): Promise<ApiResponse> => test.post(intentPath(session, one.call), one.body, keyed(key));
      const { promise, resolve: arrive } = Promise.withResolvers<void>();
      shop.faults.beforeAcquirer = promise;
      const sent = send();
      const begun = async () =>
        (await shop.paydesk.store.findBy('operations', 'id', operationIdForKey(scope, key))) !== null;
      await until('the operation is committed', begun);
      await assertKeyReserved(shop, session, key, one);
      arrive();
      const first = await sent;
      assert.equal(first.status, one.status, first.text);
      await assertAcquirerState(shop, session, one.acquirerState);
      await assertKeyReserved(shop, session, key, one);
      const replayed = await send();
      assert.equal(replayed.text, first.text);
      assert.equal(replayed.headers.get('idempotent-replayed'), 'true');
    });

    it(`belongs to the ${one.name} that it was first used for, even if storage failed before the response was kept`, async (t) => {
      const shop = await scene(t, engine);
      const { test } = shop.merchant;
      const session = await one.open(shop);
      const key = randomUUID();
      const send = (): Promise<ApiResponse> => test.post(intentPath(session, one.call), one.body, keyed(key));
      shop.faults.failsToCommit = settles;
      const first = await send();
      assert.ok(first.status < 500, first.text);
      shop.faults.failsToCommit = () => false;
      await assertKeyReserved(shop, session, key, one);
      const responses = await Promise.all(times(10).map(send));
      for (const response of responses) {
        assert.equal(response.status, one.status, response.text);
        assert.equal(response.text, responses[0]?.text);
      }
      if (one.call === '/refund') assert.equal(responses[0]?.body.id, first.body.id);
      await assertAcquirerState(shop, session, one.acquirerState);
    });
  }

  it('with several bodies at once has one effect, and the matching response', async (t) => {
    const shop = await scene(t, engine);
    const { test } = shop.merchant;
    for (const { call, open, body, others } of cases) {
      const session = await open(shop);
      const sessionsBefore = entriesOf(await test.get('/checkout-sessions?limit=100')).length;
      const key = randomUUID();
      const bodies = [body, ...others];
      const responses = await Promise.all(
        times(30).flatMap((turn) => [
          test.post(intentPath(session, call), bodies[turn % bodies.length], keyed(key)),
          ...(turn % 10 === 3 ? [test.post('/checkout-sessions', { amount: 1250, currency: 'EUR' }, keyed(key))] : []),
        ]),
      );
      const accepted = responses.filter(({ status }) => status === 200 || status === 201);
      assert.ok(accepted.length > 0);
      for (const response of responses) {
        if (accepted.includes(response)) assert.equal(response.text, accepted[0]?.text);
        else assertRefused(response, reused);
      }
      const sessionsCreated = entriesOf(await test.get('/checkout-sessions?limit=100')).length - sessionsBefore;
      const acquirer = await atAcquirer(shop, session);
      const moved = acquirer.amountRefunded > 0 || acquirer.status === 'voided' || call === '/capture';
      assert.equal(sessionsCreated + Number(moved && acquirer.status !== 'authorised'), 1, 'one effect');
    }
  });

  it('identifies the same request whatever the order of its fields', async (t) => {
    const shop = await scene(t, engine);
    const session = await paidSession(shop);
    const key = randomUUID();
    shop.faults.failsToCommit = settles;
    const refund = (raw: string) =>
      shop.merchant.test.send('POST', intentPath(session, '/refund'), {
        raw,
        headers: { ...keyed(key).headers, 'Content-Type': 'application/json' },
      });
    const first = await refund('{"amount": 300, "reason": "torn"}');
    shop.faults.failsToCommit = () => false;
    const again = await refund('{ "reason":"torn","amount":3e2 }');
    assert.deepEqual([first.body.id, first.status], [again.body.id, 201]);
    assert.equal((await atAcquirer(shop, session)).amountRefunded, 300);
  });

  it('of an operation that an earlier version began is matched by the content of the operation', async (t) => {
    const shop = await scene(t, engine);
    const { test, scope } = shop.merchant;
    const { store, address } = shop.paydesk;
    for (const { call, open, body, others, status, acquirerState } of [cases[0], cases[2], cases[4]].filter(
      (one) => !!one,
    )) {
      const session = await open(shop);
      const key = randomUUID();
      const send = (given: Fields) => test.post(intentPath(session, call), given, keyed(key));
      shop.faults.failsToCommit = settles;
      await send(body);
      shop.faults.failsToCommit = () => false;
      const operation = await store.findBy('operations', 'id', operationIdForKey(scope, key));
      assert.ok(operation !== null);
      await runSql(address, `UPDATE operations SET request_fingerprint = NULL WHERE id = '${operation.id}'`);
      assert.equal((await store.findBy('operations', 'id', operation.id))?.requestFingerprint, null);
      await store.prune('idempotencyRecords', Number.MAX_SAFE_INTEGER, 1_000);
      assertRefused(await send(others[0] ?? {}), reused);
      assert.equal((await send(body)).status, status);
      assertRefused(await send(others[0] ?? {}), reused);
      await assertAcquirerState(shop, session, acquirerState);
    }
  });

  it('continues its operation even if its reservation was pruned', async (t) => {
    const shop = await scene(t, engine);
    const session = await paidSession(shop);
    const key = randomUUID();
    const send = (body: Fields) => shop.merchant.test.post(intentPath(session, '/refund'), body, keyed(key));
    shop.faults.failsToCommit = settles;
    const first = must(201, await send({ amount: 300 }));
    shop.faults.failsToCommit = () => false;
    await shop.paydesk.store.prune('idempotencyRecords', Number.MAX_SAFE_INTEGER, 1_000);
    for (const body of [{ amount: 200 }, {}, { amount: 300, reason: 'torn' }]) assertRefused(await send(body), reused);
    assert.equal(must(201, await send({ amount: 300 })).id, first.id);
    assert.equal((await send({ amount: 300 })).headers.get('idempotent-replayed'), 'true');
    assert.equal((await atAcquirer(shop, session)).amountRefunded, 300);
  });

  it('is not used up by a refused request', async (t) => {
    const shop = await scene(t, engine);
    const { test, scope } = shop.merchant;
    const [paid, held] = [await paidSession(shop), await authorisedSession(shop)];
    const refused: [string, Fields, number][] = [
      [intentPath(paid, '/refund'), { amount: 1251 }, 400],
      [intentPath(paid, '/capture'), {}, 409],
      [intentPath(paid, '/cancel'), {}, 409],
      [intentPath(held, '/refund'), {}, 409],
      [intentPath(held, '/capture'), { amount_to_capture: 1251 }, 400],
      [
        intentPath(
          { payment_intent: String(paid.payment_intent).replace(/.$/, (last) => (last === '0' ? '1' : '0')) },
          '/refund',
        ),
        {},
        404,
      ],
    ];
    for (const [path, body, status] of refused) {
      const key = randomUUID();
      assert.equal((await test.post(path, body, keyed(key))).status, status);
      assert.equal(await shop.paydesk.store.find('idempotencyRecords', scope, key), null);
      assert.equal(await shop.paydesk.store.findBy('operations', 'id', operationIdForKey(scope, key)), null);
      must(201, await test.post(intentPath(paid, '/refund'), { amount: 1 }, keyed(key)));
    }
  });
});
