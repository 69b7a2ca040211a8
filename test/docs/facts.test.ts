// The tables in the guides match the service: states, events, cards, methods, errors, calls, settings and metrics. Nobody
// has to remember to update a table.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { loadProvider, providers } from '../../src/acquirers/providers.ts';
import { cardScenario } from '../../src/acquirers/sandbox/scenarios.ts';
import { apiVersion } from '../../src/acquirers/stripe/client.ts';
import { readNotification } from '../../src/acquirers/stripe/notifications.ts';
import { readConfig } from '../../src/config.ts';
import { currencies, currencyExponent } from '../../src/domain/currencies.ts';
import { apiErrorCodes } from '../../src/domain/errors.ts';
import { eventTypes, hostedCheckoutEventTypes, optInEventTypes } from '../../src/domain/event.ts';
import { lifeCycle } from '../../src/domain/life-cycle.ts';
import { paymentIntentStatuses } from '../../src/domain/payment-intent.ts';
import {
  methodAllowsCurrency,
  methodSettlesLater,
  type PaymentMethodType,
  paymentMethodTypes,
} from '../../src/domain/payment-methods.ts';
import { sqlite } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';
import { checkout, readDocument, stepsOf } from './guide-steps.ts';
import { codesIn, tableOf } from './tables.ts';

const lives = 'docs/how-a-payment-lives.md';
const sandbox = 'docs/testing-with-the-sandbox.md';
const operating = 'docs/operating.md';
const conventions = 'docs/api-conventions.md';
const goingLive = 'docs/going-live.md';
const textOf = (file: string): string => readFileSync(`${checkout}/${file}`, 'utf8');

describe('How a payment lives', () => {
  it('lists every state, and every transition with its events, in the order of the code', () => {
    const statuses = tableOf(lives, 'status', 'means', 'what you do').flatMap(({ status }) => codesIn(status));
    assert.deepEqual(statuses.sort(), [...paymentIntentStatuses].sort());
    const documented = tableOf(lives, 'from', 'when', 'to', 'events').map(({ from, to, events }) =>
      [codesIn(from), codesIn(to), codesIn(events)].flat().join(' '),
    );
    const actual = lifeCycle.map(({ from, to, event, session }) =>
      [from, to, event, session && `checkout_session.${session}`].filter((part) => part !== undefined).join(' '),
    );
    assert.deepEqual(documented, actual);
  });

  it('shows the same transitions in its diagrams', () => {
    const [diagram] = stepsOf(lives).filter((step) => step.kind === 'block' && step.language === 'mermaid');
    assert.ok(diagram?.kind === 'block');
    const drawn = [...diagram.text.matchAll(/^\s*(\w+) --> (\w+): /gm)].map(([, from, to]) => `${from} → ${to}`);
    const actual = lifeCycle.map(({ from, to }) => `${from} → ${to}`);
    assert.deepEqual([...new Set(drawn)].sort(), [...new Set(actual)].sort());
    const picture = textOf('docs/pictures/payment-intent.svg');
    for (const name of [...paymentIntentStatuses, ...eventTypes.filter((type) => /intent|session/.test(type))])
      assert.ok(picture.includes(name), name);
    const labels = [...diagram.text.matchAll(/ --> \w+: (.+?)(?: \(\d\))*$/gm)].map(([, label = '']) => label);
    assert.equal(labels.length, lifeCycle.length - 1, 'cancellation and a lapsed authorisation share an arrow');
    for (const label of labels)
      for (const word of label.split(' ')) assert.ok(picture.includes(word), `the picture contains ${word}`);
  });

  it('lists every event type, and which are sent by default', () => {
    const rows = tableOf(lives, 'type', 'sent', '`data`');
    const typesSent = (condition: string): string[] =>
      rows.filter(({ sent }) => sent === condition).flatMap(({ type }) => codesIn(type));
    assert.deepEqual(typesSent('by default'), [...hostedCheckoutEventTypes]);
    assert.deepEqual(typesSent('if listed in `enabled_events`'), [...optInEventTypes]);
    assert.equal(rows.length, eventTypes.length);
  });
});

describe('Testing with the sandbox', () => {
  it('describes what the sandbox does with each card', () => {
    const rows = tableOf(sandbox, 'number', 'outcome');
    for (const { number = '', outcome = '' } of rows) {
      const { action, result, when, silent } = cardScenario(number);
      assert.deepEqual(codesIn(outcome.replace('`processing`', '')), result === 'approved' ? [] : [result], number);
      assert.equal(outcome.startsWith('requires 3DS'), action === 'challenge', number);
      assert.equal(outcome.includes('5 seconds'), when === 'later', number);
      assert.equal(outcome.startsWith('the acquirer does not respond'), silent, number);
    }
    const known = [...textOf('src/acquirers/sandbox/scenarios.ts').matchAll(/'(\d{13,19})':/g)];
    assert.deepEqual(
      rows.map(({ number }) => number),
      known.map(([, number]) => number),
    );
  });

  it('lists the local methods with their currencies, and which settle later', () => {
    const rows = tableOf(sandbox, 'method', 'currency', 'outcome');
    const methods = rows.flatMap(({ method }) => codesIn(method)) as PaymentMethodType[];
    assert.deepEqual(methods.toSorted(), paymentMethodTypes.filter((type) => type !== 'card').toSorted());
    for (const [at, method] of methods.entries()) {
      assert.ok(methodAllowsCurrency(method, rows[at]?.currency ?? ''), method);
      assert.equal(rows[at]?.outcome !== 'immediately', methodSettlesLater(method), method);
    }
  });
});

describe('API conventions', () => {
  const paydesk = paydeskForSuite(sqlite);

  it('lists every call', () => {
    const documented = tableOf(conventions, 'call', 'does').flatMap(({ call }) => codesIn(call));
    const actual = Object.entries(paydesk().contract.document.paths).flatMap(([path, verbs]) =>
      Object.keys(verbs).map((verb) => `${verb.toUpperCase()} ${path}`),
    );
    assert.deepEqual(documented.sort(), actual.sort());
  });

  it('lists the decimals of every currency', () => {
    const rows = tableOf(conventions, 'currencies', 'decimals', '12 units are');
    const named = (decimals: number): string[] =>
      rows
        .filter((row) => row.decimals === String(decimals))
        .flatMap((row) => row.currencies?.match(/[A-Z]{3}/g) ?? []);
    const actual = (decimals: number): string[] => currencies.filter((code) => currencyExponent(code) === decimals);
    assert.deepEqual(named(0), actual(0));
    assert.deepEqual(named(3), actual(3));
    for (const code of named(2)) assert.ok(actual(2).includes(code), code);
    assert.equal(actual(0).length + actual(2).length + actual(3).length, currencies.length);
  });

  it('lists every error under its status and type', () => {
    const documented = tableOf(conventions, 'status', '`type`', '`code`').flatMap((row) =>
      codesIn(row['`code`']).map((code) => `${row.status} ${codesIn(row['`type`'])} ${code}`),
    );
    const actual = Object.entries(apiErrorCodes).map(([code, { status, type }]) => `${status} ${type} ${code}`);
    assert.deepEqual(documented.sort(), actual.sort());
  });
});

describe('Going live', () => {
  it('lists every provider with its methods and credentials', async () => {
    const rows = tableOf(goingLive, 'provider', 'methods', 'where customers pay', 'credentials');
    assert.deepEqual(
      rows.flatMap(({ provider }) => codesIn(provider)),
      Object.keys(providers),
    );
    for (const row of rows) {
      const provider = await loadProvider(providers, codesIn(row.provider)[0] ?? '');
      assert.deepEqual(codesIn(row.methods), provider?.methods);
      assert.deepEqual(
        codesIn(row.credentials),
        provider?.credentials.map(({ name }) => name),
      );
    }
  });

  it('names the version of Stripe’s API, and events that lead to something', () => {
    assert.ok(readDocument(goingLive).includes(`\`${apiVersion}\``));
    const types = tableOf(goingLive, 'event', 'why').flatMap(({ event }) => codesIn(event));
    assert.ok(types.length > 8);
    for (const type of types) {
      const object = { id: 're_1', object: 'refund', payment_intent: 'pi_1' };
      const body = Buffer.from(JSON.stringify({ id: 'evt_1', type, data: { object } }));
      const v1 = createHmac('sha256', 'whsec_1').update('1000.').update(body).digest('hex');
      const reading = readNotification(
        { headers: { 'stripe-signature': `t=1000,v1=${v1}` }, body, now: 1_000_000 },
        'whsec_1',
      );
      assert.ok('notices' in reading && reading.notices.length === 1, type);
    }
  });
});

describe('Operating', () => {
  const paydesk = paydeskForSuite(sqlite, { settings: { PAYDESK_METRICS_ADDRESS: '127.0.0.1:0' } });
  const metrics = async (): Promise<Map<string, string>> => {
    const text = await (await fetch(`${paydesk().metricsUrl}/metrics`)).text();
    return new Map([...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type]));
  };

  it('lists every setting, with its default', () => {
    const rows = tableOf(operating, 'setting', 'default', '');
    const documented = rows.flatMap(({ setting }) => codesIn(setting));
    const known = [...textOf('src/config.ts').matchAll(/setting\('(\w+)'/g)].map(([, name = '']) => name);
    assert.deepEqual(documented.toSorted(), known.toSorted());
    for (const row of rows) {
      const [name = ''] = codesIn(row.setting);
      const [value] = codesIn(row.default);
      const inCode = row.default !== 'none' && value !== undefined && !/[<>]|paydesk\.key/.test(value);
      if (inCode) assert.deepEqual(readConfig({ [name]: value }), readConfig({}), `${name} is ${value} by default`);
    }
  });

  it('lists every metric of the service, with its type', async () => {
    const documented = tableOf(operating, 'metric', 'type', 'meaning').map(
      ({ metric, type }) => `${codesIn(metric)} ${type}`,
    );
    const actual = [...(await metrics())].filter(([name]) => name.startsWith('paydesk_')).map((pair) => pair.join(' '));
    assert.deepEqual(documented.sort(), actual.sort());
  });

  it('has a dashboard that uses only existing metrics, and all of the service’s own', async () => {
    const dashboard = textOf('docs/grafana-dashboard.json');
    const queried = [...dashboard.matchAll(/\b(?:paydesk|process|nodejs)_\w+/g)].map(([name]) => name);
    const families = await metrics();
    const plain = (name: string): string => (families.has(name) ? name : name.replace(/_(?:bucket|count|sum)$/, ''));
    for (const name of queried) assert.ok(families.has(plain(name)), name);
    const own = [...families.keys()].filter((name) => name.startsWith('paydesk_'));
    assert.deepEqual([...new Set(queried.map(plain))].filter((name) => own.includes(name)).sort(), own.sort());
    const parts = JSON.parse(dashboard) as { panels: { id: number; type: string; targets?: { expr: string }[] }[] };
    assert.equal(new Set(parts.panels.map(({ id }) => id)).size, parts.panels.length);
    for (const { type, targets = [] } of parts.panels) assert.equal(targets.length > 0, type !== 'row');
  });

  it('mentions only existing metrics', async () => {
    const families = await metrics();
    for (const document of [operating, goingLive]) {
      const named = readDocument(document).matchAll(/\b(?:paydesk|process|nodejs)_[a-z0-9_]+[a-z0-9]/g);
      for (const [name] of named) assert.ok(families.has(name), name);
    }
  });
});
