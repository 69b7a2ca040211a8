// An account as the service uses it: a provider that hangs or fails costs little, and nothing ever looks decided.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Acquirer, type AcquirerOperation, AcquirerSilent, type Answer } from '../../src/acquirers/acquirer.ts';
import { backgroundLimits, bulkhead, foregroundLimits } from '../../src/acquirers/bulkhead.ts';
import { type GuardedAccount, guardAccount } from '../../src/acquirers/guard-account.ts';
import { withPlaces } from '../../src/acquirers/isolated.ts';
import type { MeasuredCall } from '../../src/acquirers/measured.ts';
import { PermissionMissing, type ProviderAccount } from '../../src/acquirers/provider.ts';
import { within } from '../../src/acquirers/with-deadline.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { until } from '../support/until.ts';
import { beginRequest } from './mollie/mollie-account.ts';
import { scriptedProvider } from './scripted-provider.ts';

const operation: AcquirerOperation = {
  ...{ id: 'op_1', amount: 1250, currency: 'EUR', reference: null, state: null, createdAt: 0 },
};
const done: Answer = { outcome: { kind: 'done' } };

interface Played {
  acquirer?: Partial<Acquirer>;
  check?: () => Promise<never>;
  ping?: () => Promise<void>;
  resolve?: () => never;
  deadlineMs?: number;
}

function scene({ acquirer = {}, check, ping, resolve, deadlineMs = 60_000 }: Played = {}) {
  const clock = fakeClock();
  const calls: MeasuredCall[] = [];
  const turnedAway: string[] = [];
  const changes: string[] = [];
  const played = scriptedProvider({
    acquirer: { ...scriptedProvider().acquirer, ...acquirer },
    ...(check === undefined ? {} : { check }),
    ...(resolve === undefined ? {} : { resolve }),
  });
  const bare: ProviderAccount = played.provider.connect({
    ...{ livemode: false, credentials: {}, apiUrl: '', now: clock.now },
    door: { send: () => assert.fail(), close: async () => {} },
  });
  const account: GuardedAccount = guardAccount(
    {
      ...{ steadyClock: clock.steady, deadlineMs },
      onCall: (_account, call) => void calls.push(call),
      onTurnedAway: ({ id, provider }, why) => void turnedAway.push(`${id} ${provider} ${why}`),
      onAvailability: ({ id }, now) => void changes.push(`${id} ${now}`),
    },
    { merchantId: 'acct_1', livemode: false, id: 'acq_1', provider: 'stripe' },
    ping === undefined ? bare : { ...bare, ping },
  );
  return { clock, calls, turnedAway, changes, ...account };
}

const silent = async (): Promise<never> => {
  throw new AcquirerSilent('no answer');
};

async function assertNotSent(answer: Promise<unknown>): Promise<void> {
  await assert.rejects(answer, (error: unknown) => error instanceof AcquirerSilent && error.notSent);
}

describe('An account whose provider is down', () => {
  it('answers `unavailable` to the customer at once, and leaves every committed operation unknown', async () => {
    let asked = 0;
    const count = async (): Promise<never> => {
      asked += 1;
      return silent();
    };
    const { foreground, background, health, changes } = scene({ acquirer: { authorise: count }, check: silent });
    await assert.rejects(foreground.authorise(operation), AcquirerSilent);
    await health.idle();
    assert.deepEqual([asked, health.availability(), changes], [1, 'down', ['acq_1 down']]);
    const begun = await foreground.begin(beginRequest('op_2'));
    assert.equal(begun.next, 'unavailable');
    const followUp = { ...operation, kind: 'refund', payment: operation } as const;
    for (const account of [foreground, background]) {
      await assertNotSent(account.authorise(operation));
      await assertNotSent(account.capture({ ...followUp, kind: 'capture' }));
      await assertNotSent(account.void({ ...followUp, kind: 'void' }));
      await assertNotSent(account.refund(followUp));
      await assertNotSent(account.inquire(operation));
      await assertNotSent(account.close(operation));
      await assertNotSent(account.resolveNotice({ id: 'n', type: 't', subject: 's' }));
    }
    assert.equal(asked, 1);
  });

  it('is not reopened by a payment that could only be begun, but by one that was authorised', async () => {
    const answers: (() => Promise<Answer>)[] = [silent, async () => done];
    const authorise = (): Promise<Answer> => answers.shift()?.() ?? assert.fail();
    const begin: Acquirer['begin'] = async () => ({ next: 'authorise' });
    const { foreground, health, clock, changes } = scene({ acquirer: { authorise, begin }, check: silent });
    await assert.rejects(foreground.authorise(operation), AcquirerSilent);
    await health.idle();
    clock.advance(1_000);
    assert.equal((await foreground.begin(beginRequest('op_2'))).next, 'authorise');
    assert.deepEqual(changes, ['acq_1 down']);
    assert.deepEqual(await foreground.authorise(operation), done);
    assert.deepEqual(changes, ['acq_1 down', 'acq_1 available']);
  });

  it('is not reopened by an answer that needed no request', async () => {
    const inquire: Acquirer['inquire'] = async () => ({ outcome: { kind: 'ready' }, notAsked: true });
    const { background, health, clock, changes } = scene({ acquirer: { authorise: silent, inquire }, check: silent });
    await assert.rejects(background.authorise(operation), AcquirerSilent);
    await health.idle();
    clock.advance(1_000);
    await background.inquire(operation);
    assert.deepEqual(changes, ['acq_1 down']);
  });

  it('is noticed when only beginning fails', async () => {
    const begin: Acquirer['begin'] = async () => ({ next: 'unavailable', reason: 'no answer' });
    const { foreground, health, calls } = scene({ acquirer: { begin }, check: silent });
    await foreground.begin(beginRequest('op_1'));
    await health.idle();
    assert.equal(health.availability(), 'down');
    assert.deepEqual(
      calls.map(({ call, outcome, reason }) => [call, outcome, reason]),
      [
        ['begin', 'silent', 'no answer'],
        ['check', 'silent', 'no answer'],
      ],
    );
  });

  it('is not what declines, or silence about a single operation, make of it', async () => {
    const declined: Answer = { outcome: { kind: 'declined', decline: { code: 'generic_decline' } } };
    const notFound = async (): Promise<never> => {
      throw new AcquirerSilent('no such payment', { isOnlyAboutThis: true });
    };
    const acquirer = { authorise: async () => declined, inquire: notFound };
    const { foreground, health } = scene({ acquirer, check: silent });
    for (let i = 0; i < 20; i += 1) {
      await foreground.authorise(operation);
      await assert.rejects(foreground.inquire(operation), AcquirerSilent);
    }
    assert.equal(health.availability(), 'available');
  });

  it('is not what reading for notifications, or a permission for something else, makes of it', async () => {
    const notPermitted = async (): Promise<never> => {
      const cause = new PermissionMissing('not permitted');
      throw new AcquirerSilent(cause.message, { cause });
    };
    const acquirer = { authorise: notPermitted, refund: notPermitted };
    const resolve = (): never => {
      throw new AcquirerSilent('no list of disputes');
    };
    const { foreground, background, health, changes } = scene({ acquirer, resolve });
    for (let i = 0; i < 20; i += 1) {
      await assert.rejects(background.resolveNotice({ id: 'n', type: 't', subject: 's' }), AcquirerSilent);
      await assert.rejects(foreground.refund({ ...operation, kind: 'refund', payment: operation }), AcquirerSilent);
      await health.idle();
    }
    assert.deepEqual([health.availability(), changes], ['available', []]);
    for (let i = 0; i < 5; i += 1) await assert.rejects(foreground.authorise(operation), AcquirerSilent);
    assert.equal(health.availability(), 'down', 'but payments need theirs');
  });

  it('is confirmed by one cheap request, if the connector has one', async () => {
    const pings: string[] = [];
    const ping = async (): Promise<void> => void pings.push('ping');
    const { foreground, health, calls } = scene({ acquirer: { authorise: silent }, check: silent, ping });
    await assert.rejects(foreground.authorise(operation), AcquirerSilent);
    await health.idle();
    assert.deepEqual([pings, health.availability()], [['ping'], 'available']);
    assert.deepEqual(
      calls.map(({ call, outcome }) => [call, outcome]),
      [
        ['authorise', 'silent'],
        ['check', 'answered'],
      ],
    );
  });
});

describe('An account whose provider asks to wait', () => {
  it('is not called until then, also if it was asked when a payment was begun', async () => {
    const begin: Acquirer['begin'] = async () => ({ next: 'unavailable', reason: '429', retryAfterMs: 7_000 });
    const inquire = async () => done;
    const { foreground, clock, turnedAway } = scene({ acquirer: { begin, inquire }, check: silent, deadlineMs: 4_000 });
    await foreground.begin(beginRequest('op_1'));
    await assertNotSent(foreground.inquire(operation));
    clock.advance(7_000);
    assert.deepEqual(await foreground.inquire(operation), done);
    assert.deepEqual(turnedAway, ['acq_1 stripe rate_limited']);
  });
});

describe('An account whose provider hangs', () => {
  it('has a limited number of places, and keeps those of jobs apart from those of customers', async () => {
    const hanging = Promise.withResolvers<Answer>();
    let asked = 0;
    const inquire = (): Promise<Answer> => {
      asked += 1;
      return hanging.promise;
    };
    const { foreground, background, turnedAway } = scene({ acquirer: { inquire } });
    const { places, maxWaiting } = backgroundLimits;
    const inTheBackground = Array.from({ length: places + maxWaiting }, () => background.inquire(operation));
    await until('the places of jobs are taken', () => asked === places);
    const tooMany = background.inquire(operation);
    await assertNotSent(tooMany);
    const customers = Array.from({ length: foregroundLimits.places }, () => foreground.inquire(operation));
    await until('customers have their own', () => asked === places + foregroundLimits.places);
    hanging.resolve(done);
    await Promise.all([Promise.allSettled(inTheBackground), ...customers]);
    assert.equal(turnedAway[0], 'acq_1 stripe full');
  });

  it('gives a place back only when the call has really ended, however long ago its deadline was', async () => {
    const hanging = Promise.withResolvers<string>();
    const places = bulkhead({ places: 1, maxWaiting: 0, waitMs: 1 });
    const inPlace = withPlaces(places, () => {});
    await assert.rejects(
      within(
        1,
        inPlace('inquire', () => hanging.promise, null),
      ),
      /no answer within 1 ms/,
    );
    assert.equal(places.taken(), 1);
    await assertNotSent(inPlace('inquire', () => assert.fail('was called'), null));
    hanging.resolve('late');
    await until('the place is free', () => places.taken() === 0);
  });
});
