// How often a request waits for PostgreSQL: the table in bench/round-trips.md, compared with the real queries. A query belongs
// to the round trip after the last one that had an answer when it was sent.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it, type TestContext } from 'node:test';
import pg from 'pg';
import type { MoneyOutcome } from '../../src/acquirers/acquirer.ts';
import type { Provider } from '../../src/acquirers/provider.ts';
import { addAcquirerAccount } from '../../src/usecases/add-acquirer-account.ts';
import { scriptedProvider, testCredentials } from '../acquirers/scripted-provider.ts';
import { scriptedAcquirer } from '../paying/scripted-acquirer.ts';
import { must } from '../support/api-client.ts';
import { customerAt, formOf } from '../support/customer.ts';
import { postgres } from '../support/engines.ts';
import { startMailServer } from '../support/mail-server.ts';
import { type Paydesk, startPaydesk, type TestMerchant } from '../support/paydesk.ts';
import { aMoment } from '../support/records.ts';
import { until } from '../support/until.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { loopbackAllowed } from '../webhooks/scene.ts';

/** Background jobs, which no request waits for, however soon after the start they run. */
const background =
  /^(?:claim|prune|erase|time|endpoints with due|mark (?:keys|sessions)|end impossible|old attempt|record attempts|webhook endpoints by|merchants of endpoints|count (?:due|waiting)|commit \+\*?request_records|find rollUps|list (?:events|merchants)|oldest payments)/;

const ofRequests = (name: string): boolean => !background.test(name);
const ofWebhooks = (name: string): boolean => /^(?:claim deliveries|webhook endpoints by|record attempts)/.test(name);
/** The row of what no request waits for. */
const delivering = 'deliver webhooks';

/**
 * Every answer takes this many turns of the event loop, as over a network: queries that wait for the end of a turn are sent
 * before those that did not wait are answered, however busy the machine is.
 */
const answerTurns = 4;

async function turnsPass(): Promise<void> {
  for (let turn = 0; turn < answerTurns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Records the named statements that all clients of this process send. */
function recordTrips(
  t: TestContext,
  counts = ofRequests,
): { since(start: number): string[]; count(): number; areAnswered(): boolean } {
  const trips: string[][] = [];
  let answeredTrips = 0;
  const send = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  const answered = async (trip: number): Promise<void> => {
    await turnsPass();
    answeredTrips = Math.max(answeredTrips, trip);
  };
  t.mock.method(pg.Client.prototype, 'query', function (this: pg.Client, ...args: unknown[]) {
    const [config] = args as [{ readonly name?: string } | string];
    const name = typeof config === 'string' ? undefined : config.name;
    if (name === undefined || !counts(name)) return send.apply(this, args);
    const trip = answeredTrips + 1;
    trips[trip - 1] = [...(trips[trip - 1] ?? []), name.replace(/ [0-9a-f]{12}$/, '')];
    const callback = args.at(-1);
    if (typeof callback === 'function') {
      args[args.length - 1] = (...result: unknown[]) => answered(trip).then(() => callback(...result));
      return send.apply(this, args);
    }
    return (send.apply(this, args) as Promise<unknown>).finally(() => answered(trip));
  });
  return {
    count: () => trips.length,
    since: (start) => trips.slice(start).map((names) => names.join(' and ')),
    areAnswered: () => answeredTrips === trips.length,
  };
}

function documented(): Map<string, number> {
  const text = readFileSync(new URL('../../bench/round-trips.md', import.meta.url), 'utf8');
  return new Map([...text.matchAll(/^\| ([^|]+) \| (\d+) \|/gm)].map(([, flow = '', trips]) => [flow, Number(trips)]));
}

const challenge: MoneyOutcome = { kind: 'action', url: 'https://bank.example/challenge' };
const passed: MoneyOutcome = { kind: 'ready' };
const done: MoneyOutcome = { kind: 'done' };
const pending: MoneyOutcome = { kind: 'pending', customerDone: true };
/** After that answer. Sooner than roll-ups, whose queries would be counted. */
const inquiryAfterMs = 1_000;

async function addAccount({ store, secretBox, clock }: Paydesk, { merchant }: TestMerchant, provider: Provider) {
  const deps = { store, secretBox, actor: 'test', moment: () => aMoment(clock.now()) };
  const account = { merchantId: merchant.id, livemode: false, name: 'Main', provider, methods: ['card'] as const };
  const added = await addAcquirerAccount(deps, { ...account, credentials: testCredentials });
  assert.ok('done' in added);
}

describe('The round trips to PostgreSQL', () => {
  it('of each request are as many as bench/round-trips.md says', async (t) => {
    const trips = recordTrips(t);
    // Unlike the sandbox, it sends no notification that would be processed while the customer returns.
    const played = scriptedProvider({
      acquirer: scriptedAcquirer({ authorise: [pending, challenge, done], inquire: [done, passed] }),
    });
    const paydesk = await startPaydesk(t, postgres, { providers: played.providers });
    const { test, newSession } = await paydesk.newMerchant();
    const customer = customerAt(paydesk.url);
    must(200, await test.get('/me'));
    const measured = new Map<string, number>();
    const shown: string[] = [];
    async function measure<T>(flow: string, run: () => Promise<T>): Promise<T> {
      const start = trips.count();
      const result = await run();
      const names = trips.since(start);
      measured.set(flow, names.length);
      shown.push(`${flow}: ${names.join(', ')}`);
      return result;
    }
    const session = await measure('create a session', () => newSession());
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    const keyed = () => test.post('/checkout-sessions', { amount: 1250, currency: 'EUR' }, { headers });
    must(201, await measure('create a session with an Idempotency-Key', keyed));
    const intent = `/payment-intents/${session.payment_intent}`;
    const page = await measure('open the page', () => customer.open(session.id));
    const paid = await measure('pay by card', () => customer.payForm(formOf(page), '4242424242424242'));
    assert.equal(paid.status, 303);
    await measure('retrieve a payment', () => test.get(intent));
    await measure('refund', () => test.post(`${intent}/refund`, { amount: 100 }));
    const atProvider = await paydesk.newMerchant();
    await addAccount(paydesk, atProvider, played.provider);
    await customer.payByToken((await atProvider.newSession()).id, 'pm_1');
    const beforeAsking = trips.count();
    const isSettled = () => trips.since(beforeAsking).some((names) => names.includes('commit =payment_intents'));
    await measure('settle a payment that was pending', () => {
      paydesk.clock.advance(inquiryAfterMs);
      return until('the outcome is committed', () => isSettled() && trips.areAnswered());
    });
    const challenged = formOf(await customer.open((await newSession()).id));
    await measure('pay by card with 3DS, until the challenge', () => customer.payForm(challenged, '4000000000003220'));
    const { id } = await atProvider.newSession();
    await customer.payByToken(id, 'pm_2');
    const returned = await measure('return from the 3DS challenge', () => customer.get(`/checkout/${id}/return`));
    assert.equal(returned.status, 303);
    const intents = must(200, await atProvider.test.get('/payment-intents')).data as { status: string }[];
    assert.deepEqual(
      intents.map(({ status }) => status),
      ['succeeded', 'succeeded'],
    );
    const other = await newSession();
    await measure('expire a session', () => test.post(`/checkout-sessions/${other.id}/expire`, {}));
    await measure('list payments', () => test.get('/payment-intents?limit=10'));
    const expected = documented();
    expected.delete(delivering);
    assert.deepEqual(measured, expected, shown.join('\n'));
  });

  it('of webhooks are as many as it says, too', async (t) => {
    const trips = recordTrips(t, ofWebhooks);
    const paydesk = await startPaydesk(t, postgres, { settings: loopbackAllowed });
    const { test, newSession } = await paydesk.newMerchant();
    const receiver = await startWebhookReceiver(t);
    for (const path of ['/one', '/two']) must(201, await test.post('/webhook-endpoints', { url: receiver.url + path }));
    const { id } = await newSession();
    const start = trips.count();
    must(200, await test.post(`/checkout-sessions/${id}/expire`, {}));
    const isRecorded = (): boolean => trips.since(start).some((names) => names.includes('record attempts'));
    await until('the attempts are recorded', () => receiver.requests.length === 2 && isRecorded());
    // The periodic look may find the deliveries too, and then claims nothing.
    const names = [...new Set(trips.since(start))];
    const untilRecorded = names.slice(0, names.findIndex((trip) => trip.includes('record attempts')) + 1);
    assert.equal(untilRecorded.length, documented().get(delivering), names.join(', '));
  });

  it('are one more for a payment with a receipt by e-mail: the settings of the merchant', async (t) => {
    const trips = recordTrips(t);
    const server = await startMailServer(t);
    // The first message uses up the rate, so that the mailer is idle during the second payment.
    const settings = { SMTP_URL: server.url, PAYDESK_MAIL_RATE_LIMIT: '1' };
    const paydesk = await startPaydesk(t, postgres, { settings });
    const { newSession } = await paydesk.newMerchant();
    const customer = customerAt(paydesk.url);
    const open = async () => formOf(await customer.open((await newSession({ customer_email: 'a@b.example' })).id));
    await customer.payForm(await open(), '4242424242424242');
    await until('the first message is recorded', async () => {
      const [message] = await paydesk.store.list('mailMessages', { limit: 1 });
      return message?.status === 'sent';
    });
    const form = await open();
    const start = trips.count();
    await customer.payForm(form, '4242424242424242');
    const names = trips.since(start);
    assert.equal(names.length, (documented().get('pay by card') ?? 0) + 1, names.join(', '));
    assert.equal(await paydesk.store.count('mailMessages', {}, 9), 2);
  });
});
