// paydesk listen: test events reach a developer's receiver like real webhooks, and none is lost.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { verifyWebhook, type WebhookEvent } from '../../sdk/src/verify-webhook.ts';
import { eventBody, eventTypes } from '../../src/domain/event.ts';
import { openStore } from '../../src/storage/open-store.ts';
import { revokeApiKey } from '../../src/usecases/revoke-api-key.ts';
import { apiClient, type Fields, must } from '../support/api-client.ts';
import { mustCommit } from '../support/committing.ts';
import { type CleansUp, describeOnEachEngine, freshDatabase, sqlite } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { startPaydesk, systemClock, type TestMerchant } from '../support/paydesk.ts';
import {
  callPaydesk,
  databaseUrl,
  freshFolder,
  paydeskJson,
  type RunningCommand,
  type Settings,
  servePaydesk,
  startPaydeskCommand,
} from '../support/paydesk-process.ts';
import { aMoment, anEvent, aPayment } from '../support/records.ts';
import { startStopwatch } from '../support/stopwatch.ts';
import { until } from '../support/until.ts';
import { type ReceivedRequest, startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

interface Listening extends RunningCommand {
  readonly secret: string;
  /** The lines about events. */
  lines(): string[];
}

async function listen(test: CleansUp, args: readonly string[], settings: Settings): Promise<Listening> {
  const command = startPaydeskCommand(test, ['listen', ...args], settings);
  await until(
    'paydesk listen is ready',
    () => {
      assert.equal(command.stderr(), '');
      return /Ready\.[\s\S]*Press Ctrl-C to stop\.\n|^\{"ready":true.*\n/.test(command.stdout());
    },
    20_000,
  );
  const [secret = ''] = /whsec_\w+/.exec(command.stdout()) ?? [];
  const lines = (): string[] =>
    command
      .stdout()
      .split('\n')
      .filter((line) => line.includes('evt_'));
  return { ...command, secret, lines };
}

const settingsOf = ({ test }: TestMerchant): Settings => ({ PAYDESK_API_KEY: test.key, PAYDESK_URL: test.url });

async function expireOne({ newSession, test }: Pick<TestMerchant, 'newSession' | 'test'>): Promise<void> {
  // Separators of lines for JavaScript, but not for an event stream.
  const { id } = await newSession({ metadata: { note: 'one\u2028two\u2029three' } });
  must(200, await test.post(`/checkout-sessions/${id}/expire`));
}

const idsOf = ({ requests }: WebhookReceiver): string[] =>
  requests.map(({ body }) => (JSON.parse(body.toString()) as { id: string }).id);

function verified({ body, headers }: ReceivedRequest, secret: string): WebhookEvent {
  const verdict = verifyWebhook({
    rawBody: body,
    header: headers['service-signature'],
    secrets: [secret],
    nowSeconds: Date.now() / 1000,
  });
  assert.ok(verdict.ok, JSON.stringify(verdict));
  return verdict.event;
}

describeOnEachEngine('paydesk listen', (engine) => {
  it('forwards events byte for byte, with the headers of real webhooks, signed with the printed secret', async (t) => {
    const settings = { PAYDESK_PUBLIC_URL: 'http://localhost:4020' };
    const paydesk = await startPaydesk(t, engine, { runningClock: systemClock, settings });
    const merchant = await paydesk.newMerchant();
    const receiver = await startWebhookReceiver(t);
    await expireOne(merchant);
    const listening = await listen(t, ['--forward-to', `${receiver.url}/hooks?a=1`], settingsOf(merchant));
    assert.match(listening.stdout(), new RegExp(`^Ready\\. Forwarding test events to ${receiver.url}/hooks`));
    must(201, await merchant.test.post('/webhook-endpoints', { url: `${receiver.url}/registered` }));
    await expireOne(merchant);
    await until('the event has arrived twice', () => receiver.requests.length === 2);
    const [, event] = await merchant.events();
    assert.ok(event !== undefined);
    const forwarded = receiver.requests.find(({ path }) => path === '/hooks?a=1');
    const registered = receiver.requests.find(({ path }) => path === '/registered');
    assert.ok(forwarded !== undefined && registered !== undefined);
    assert.equal(forwarded.body.toString(), JSON.stringify(eventBody(event)));
    assert.deepEqual(forwarded.body, registered.body);
    const { 'service-signature': _signature, ...headers } = forwarded.headers;
    const { 'service-signature': _other, ...expected } = registered.headers;
    assert.deepEqual(headers, expected);
    assert.equal(verified(forwarded, listening.secret).id, event.id);
    await until('its line is printed', () => listening.lines().length === 1);
    assert.match(
      listening.lines()[0] ?? '',
      new RegExp(`^\\d\\d:\\d\\d:\\d\\d {2}checkout_session\\.expired +${event.id} {2}→ 200 in \\d+ ms$`),
    );
    listening.signal('SIGINT');
    assert.equal(await listening.ended(), 0);
    assert.equal(listening.stderr(), '');
  });

  it('reconnects after the service was killed, and catches up on missed events', async (t) => {
    const folder = await freshFolder(t);
    const address = await freshDatabase(t, engine);
    const settings = { DATABASE_URL: databaseUrl(address), PORT: String(await freePort()) };
    const created = await paydeskJson<Record<'test_key' | 'merchant', string>>(
      ['merchant', 'create', '--name', 'Shop'],
      { folder, settings },
      callPaydesk,
    );
    const scope = { merchantId: created.merchant, livemode: false };
    const first = await servePaydesk(t, { folder, settings });
    const receiver = await startWebhookReceiver(t);
    const client = { PAYDESK_API_KEY: created.test_key, PORT: settings.PORT };
    const listening = await listen(t, ['--forward-to', receiver.url], client);
    const startedListeningAt = Date.now();
    const test = apiClient({ url: first.url, key: created.test_key });
    const expire = async (): Promise<void> => {
      const session = must(201, await test.post('/checkout-sessions', { amount: 1, currency: 'EUR' }));
      must(200, await test.post(`/checkout-sessions/${session.id}/expire`));
    };
    await expire();
    await until('the first event has arrived', () => receiver.requests.length === 1);

    await first.kill();
    await until('the lost connection is reported', () => listening.stderr().includes('lost the connection'));
    // From another process, and from one whose clock is behind: neither event is missed.
    const store = await openStore(address, { serving: false, onConnectionLost: () => {} });
    const { intent } = aPayment({ scope });
    const missed = [Date.now(), startedListeningAt + 1].map((ms) => anEvent(intent, aMoment(ms)));
    assert.ok((idsOf(receiver)[0] ?? '') > (missed[1]?.id ?? ''), 'the second is older than the last received event');
    await mustCommit(store, { events: missed });
    await store.close();
    const second = await servePaydesk(t, { folder, settings });
    await expire();
    await until('all events have arrived', () => receiver.requests.length >= 4);
    const ids = idsOf(receiver);
    assert.equal(new Set(ids).size, 4, 'no event arrives twice');
    for (const { id } of missed) assert.ok(ids.includes(id));
    assert.match(listening.stderr(), /lost the connection to http:\S+ \(.*\); reconnecting\nreconnected/);

    second.signal('SIGTERM');
    assert.equal(await second.ended(), 0, 'it does not keep the service from stopping');
    listening.signal('SIGTERM');
    assert.equal(await listening.ended(), 0);
    assert.equal(receiver.requests.length, 4);
  });
});

describe('paydesk listen', () => {
  async function scene(t: CleansUp) {
    const paydesk = await startPaydesk(t, sqlite, { runningClock: systemClock });
    const merchant = await paydesk.newMerchant();
    return { paydesk, merchant, settings: settingsOf(merchant) };
  }

  it('prints the response of the receiver, continues with the next event, and keeps the order', async (t) => {
    const { merchant, settings } = await scene(t);
    const receiver = await startWebhookReceiver(t);
    const listening = await listen(t, ['--forward-to', receiver.url, '--json'], settings);
    receiver.answerWith({ status: 500, body: 'TypeError: x is\nundefined' });
    await expireOne(merchant);
    await until('the first line is printed', () => listening.lines().length === 1);
    receiver.answerWith({ status: 204 });
    for (let count = 0; count < 5; count += 1) await expireOne(merchant);
    await until('all lines are printed', () => listening.lines().length === 6);
    const lines = listening.lines().map((line) => JSON.parse(line) as Fields);
    const expected = (await merchant.events()).map(({ id }) => id);
    assert.deepEqual(
      lines.map(({ event }) => event),
      expected,
    );
    assert.deepEqual(idsOf(receiver), expected);
    assert.deepEqual(
      lines.map(({ status }) => status),
      [500, 204, 204, 204, 204, 204],
    );
    const [{ time, duration_ms, ...line } = {}] = lines;
    assert.deepEqual(line, {
      event: expected[0],
      type: 'checkout_session.expired',
      status: 500,
      error: null,
      waiting: false,
    });
    assert.match(String(time), /^\d{4}-\d\d-\d\dT/);
    assert.ok(Number(duration_ms) >= 0);
    const again = await listen(t, ['--forward-to', receiver.url, '--since', '1h'], settings);
    receiver.answerWith({ status: 500, body: 'TypeError: x is\nundefined' });
    await expireOne(merchant);
    await until('the line is printed', () => again.lines().some((text) => text.includes('→ 500 in')));
    assert.match(again.lines().at(-1) ?? '', /→ 500 in \d+ ms {2}TypeError: x is undefined$/);
    assert.equal(again.secret, listening.secret, 'the secret stays the same');
  });

  it('reports that the receiver is not running, and sends waiting events in order once it is', async (t) => {
    const { merchant, settings } = await scene(t);
    const port = await freePort();
    const listening = await listen(t, ['--forward-to', `localhost:${port}/hooks`], settings);
    for (let count = 0; count < 3; count += 1) await expireOne(merchant);
    await until('all lines are printed', () => listening.lines().length === 3);
    const question = `→ connection refused: is your server running at http://localhost:${port}/hooks? Retrying until it is.`;
    for (const line of listening.lines()) assert.ok(line.endsWith(question), line);
    const receiver = await startWebhookReceiver(t, { port });
    await until('all events have arrived', () => receiver.requests.length === 3);
    await expireOne(merchant);
    await until('the next event has arrived', () => receiver.requests.length === 4);
    assert.deepEqual(
      idsOf(receiver),
      (await merchant.events()).map(({ id }) => id),
    );
    await until('all responses are printed', () => listening.stdout().match(/→ 200 in/g)?.length === 4);
  });

  it('waits ten seconds for a receiver that hangs, and loses nothing; Ctrl-C does not wait', async (t) => {
    const { merchant, settings } = await scene(t);
    const receiver = await startWebhookReceiver(t);
    let hangs = true;
    receiver.answerWith(() => (hangs ? undefined : { status: 200 }));
    const listening = await listen(t, ['--forward-to', receiver.url], settings);
    await expireOne(merchant);
    await until('it hangs', () => receiver.requests.length === 1);
    hangs = false;
    await expireOne(merchant);
    await expireOne(merchant);
    await until('the others have arrived', () => receiver.requests.length === 3);
    await until('all lines are printed', () => listening.lines().length === 3);
    const [first = '', ...others] = listening.lines();
    assert.match(first, /→ no response within 10 seconds/);
    for (const line of others) assert.match(line, /→ 200 in/);
    hangs = true;
    await expireOne(merchant);
    await until('it hangs again', () => receiver.requests.length === 4);
    const waitedMs = startStopwatch();
    listening.signal('SIGINT');
    assert.equal(await listening.ended(), 0);
    assert.ok(waitedMs() < 3_000);
  });

  it('can print events without forwarding, filter types, start in the past, and sign with a given secret', async (t) => {
    const { merchant, settings } = await scene(t);
    await expireOne(merchant);
    await merchant.test.post(`/payment-intents/${(await merchant.newSession()).payment_intent}/cancel`);
    const [first, ...later] = await merchant.events();
    const shown = await listen(t, ['--print-only', '--json', '--since', String(first?.id)], settings);
    await until('they are printed', () => shown.lines().length === later.length);
    assert.deepEqual(
      shown.lines().map((line) => JSON.parse(line) as unknown),
      later.map(eventBody),
    );
    const receiver = await startWebhookReceiver(t);
    const args = ['--forward-to', receiver.url, '--events', 'payment_intent.canceled', '--since'];
    const secret = 'whsec_chosen_by_me';
    const some = await listen(t, [...args, '2026-01-01T00:00:00Z'], { ...settings, PAYDESK_LISTEN_SECRET: secret });
    await until('it has arrived', () => receiver.requests.length === 1);
    const [request] = receiver.requests;
    assert.ok(request !== undefined);
    assert.equal(verified(request, secret).type, 'payment_intent.canceled');
    await until('its line is printed', () => some.lines().length === 1);
  });

  it('exits with the error of the service when the key is revoked', async (t) => {
    const { merchant, settings, paydesk } = await scene(t);
    const listening = await listen(t, ['--print-only'], settings);
    const { api_key: keyId } = must(200, await merchant.test.get('/me'));
    await revokeApiKey(
      { store: paydesk.store, moment: () => aMoment(Date.now()), actor: 'test' },
      { keyId: String(keyId) },
    );
    assert.equal(await listening.ended(), 1);
    assert.match(
      listening.stderr(),
      /paydesk: This API key \(key_\w+\) has been revoked.*\(api_key_revoked, req_\w+\)\n$/,
    );
  });

  it('reports an error and what to do before it starts', async (t) => {
    const { merchant, settings } = await scene(t);
    const to = ['--forward-to', 'http://localhost:3000/webhooks'];
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    const mistakes: [string[], RegExp][] = [
      [[], /specify the URL of your receiver: paydesk listen --forward-to http:\/\/localhost:3000\/webhooks/],
      [['--forward-to', 'ftp://x'], /--forward-to must be the URL of your receiver/],
      [['--forward-to', 'http://me:secret@localhost/'], /must not contain a user name/],
      [[...to, '--events', 'payment_intent.paid'], /unknown event type "payment_intent.paid". Event types:/],
      [[...to, '--events', 'x'], new RegExp(eventTypes.map((type) => `${type}[\\s\\S]*`).join(''))],
      [[...to, '--since', 'yesterday'], /--since must be a duration such as 30s, 10m/],
      [[...to, '--secret', 'hunter2'], /must be a webhook secret, whsec_…/],
      [
        [...to, '--key', merchant.live.key],
        /this is a live key, and paydesk listen only works in test mode[\s\S]*key create/,
      ],
      [[...to, '--url', nowhere], /no service is running at http[\s\S]*npm start/],
    ];
    for (const [args, message] of mistakes) {
      const result = await callPaydesk(['listen', ...args], { settings });
      assert.equal(result.code, 1, args.join(' '));
      assert.match(result.stderr, message);
      assert.equal(result.stdout, '');
    }
  });
});
