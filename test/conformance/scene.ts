// A shop whose payments go to the provider under test: the whole service, with real HTTP on both sides and real storage.
// Only time is the test's: a scenario lets it pass.

import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { loadProvider, providers as ownProviders } from '../../src/acquirers/providers.ts';
import type { Operation } from '../../src/domain/operation.ts';
import { addAcquirerAccount } from '../../src/usecases/add-acquirer-account.ts';
import { type ApiResponse, type Fields, must } from '../support/api-client.ts';
import { type Customer, customerAt, formOf, type PageResponse } from '../support/customer.ts';
import type { CleansUp, Engine } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { type Paydesk, startPaydesk, type TestMerchant } from '../support/paydesk.ts';
import { aMoment } from '../support/records.ts';
import { until } from '../support/until.ts';
import { type MovingClock, movingClock } from './moving-clock.ts';
import type { ProviderUnderTest, RunningProvider, Way } from './provider-under-test.ts';

/** One service with one provider, for all scenarios of a suite. */
export interface Stage {
  readonly paydesk: Paydesk;
  readonly clock: MovingClock;
  readonly provider: RunningProvider;
  readonly underTest: ProviderUnderTest;
}

/** A merchant with an account at the provider, and a customer. */
export interface Scene extends Stage {
  readonly merchant: TestMerchant;
  readonly customer: Customer;
  /** Where the provider notifies this account; empty for the sandbox. */
  readonly notificationUrl: string;
  /** Every session of the scenario. */
  readonly sessions: Fields[];
  /** How many attempts of a session must have failed, with an event each; none unless set here. */
  readonly failures: Map<unknown, number>;
}

const settings = {
  // Silence is real time, but a busy machine must not look like it.
  PAYDESK_ACQUIRER_TIMEOUT: '4',
  PAYDESK_DECLINES_PER_SESSION: '1000000',
  PAYDESK_DECLINES_PER_ADDRESS: '1000000',
  PAYDESK_DECLINES_PER_CARD: '1000000',
};

export async function openStage(test: CleansUp, engine: Engine, underTest: ProviderUnderTest): Promise<Stage> {
  const clock = movingClock();
  const provider = await underTest.start(test, clock.now);
  const port = await freePort();
  const here = { PORT: String(port), PAYDESK_PUBLIC_URL: `http://127.0.0.1:${port}` };
  const paydesk = await startPaydesk(test, engine, {
    settings: { ...settings, ...here, ...provider.settings },
    runningClock: clock,
    // So that what a provider asks us to wait passes with the rest of the time.
    steadyClock: clock,
    longestPauseMs: 40,
    ...(underTest.providers === undefined ? {} : { providers: underTest.providers }),
    ...(provider.storage === undefined ? {} : { storage: provider.storage }),
  });
  return { paydesk, clock, provider, underTest };
}

export async function openScene(stage: Stage): Promise<Scene> {
  const { paydesk, provider } = stage;
  provider.clearFaults();
  const merchant = await paydesk.newMerchant();
  const accountId = await addAccount(stage, merchant);
  const notificationUrl = accountId === null ? '' : `${paydesk.url}/acquirers/${accountId}/notifications`;
  provider.notifications?.mode('deliver');
  provider.begin?.(notificationUrl);
  const customer = customerAt(paydesk.url);
  return { ...stage, merchant, customer, notificationUrl, sessions: [], failures: new Map() };
}

async function addAccount(stage: Stage, { merchant }: TestMerchant): Promise<string | null> {
  const { paydesk, clock, provider, underTest } = stage;
  if (provider.account === null) return null;
  const known = await loadProvider(underTest.providers ?? ownProviders, underTest.name);
  assert.ok(known !== null, `there is no connector for ${underTest.name}`);
  const { store, secretBox } = paydesk;
  const added = await addAcquirerAccount(
    { store, secretBox, actor: 'test', moment: () => aMoment(clock.now()) },
    { merchantId: merchant.id, livemode: false, name: 'Main', provider: known, ...provider.account },
  );
  assert.ok('done' in added, JSON.stringify(added));
  return added.done.id;
}

export async function newSession(scene: Scene, fields: Fields = {}): Promise<Fields> {
  const types = scene.provider.account?.methods ?? ['card'];
  const offered = fields.capture_method === 'manual' ? ['card'] : types;
  const session = await scene.merchant.newSession({ payment_method_types: offered, expires_in: 86_400, ...fields });
  scene.sessions.push(session);
  return session;
}

/** Where the customer is after the form: at the provider's page, or nowhere in particular. */
export interface Paying {
  readonly page: PageResponse;
  readonly actionUrl: string | null;
}

/** The customer fills the form in and pays. Stops at the provider's page if it is up to the test what happens there. */
export async function pay(scene: Scene, session: Fields, way: Way = 'plain'): Promise<Paying> {
  const captureMethod = session.capture_method === 'manual' ? 'manual' : 'automatic';
  const entry = scene.provider.form(way, captureMethod);
  const form = formOf(await scene.customer.open(session.id));
  const page = await scene.customer.post(form.action, { ...form.fields, ...entry.fields });
  const actionUrl = externalUrl(scene, page);
  if (actionUrl !== null && entry.atProvider !== undefined) await finish(scene, actionUrl, entry.atProvider);
  return { page, actionUrl };
}

/** The customer acts at the provider's page and returns. */
export async function finish(scene: Scene, actionUrl: string, choice: 'pass' | 'fail' | 'cancel'): Promise<void> {
  await returnFrom(scene, await scene.provider.act(actionUrl, choice));
}

export async function returnFrom({ customer }: Scene, returnUrl: string): Promise<PageResponse> {
  const { pathname, search } = new URL(returnUrl);
  return customer.get(`${pathname}${search}`);
}

/** The customer tries until it is paid, whatever state the payment is in. */
export async function payUntilDone(scene: Scene, session: Fields): Promise<void> {
  for (let tries = 0; tries < 5; tries += 1) {
    const { status } = await intentOf(scene, session);
    if (status === 'succeeded' || status === 'requires_capture') return;
    // Long enough for any pause that the provider asked for.
    await passTime(scene, 120_000);
    const page = await scene.customer.open(session.id);
    const actionUrl = externalUrl(scene, page);
    if (actionUrl !== null) await finish(scene, actionUrl, 'pass');
    else if (page.html.includes('name="attempt"')) await pay(scene, session);
    await quiet(scene);
  }
  assert.fail(`${session.id} could not be paid: ${JSON.stringify(await intentOf(scene, session))}`);
}

/** The redirect of a page to the provider; the sandbox's own pages are at the same address as ours. */
function externalUrl({ paydesk }: Scene, { location }: PageResponse): string | null {
  if (location === null) return null;
  const url = new URL(location, paydesk.url);
  const isOurs = url.origin === new URL(paydesk.url).origin && !url.pathname.startsWith('/sandbox-');
  return isOurs ? null : url.href;
}

export async function intentOf({ merchant }: Scene, session: Fields): Promise<Fields> {
  return must(200, await merchant.test.get(`/payment-intents/${session.payment_intent}`));
}

export function post(scene: Scene, session: Fields, verb: 'capture' | 'cancel' | 'refund', body: Fields = {}) {
  return scene.merchant.test.post(`/payment-intents/${session.payment_intent}/${verb}`, body);
}

/** A follow-up whose outcome is not asserted. */
export async function attempt(response: Promise<ApiResponse>): Promise<ApiResponse> {
  const received = await response;
  assert.ok([200, 201, 400, 409].includes(received.status), received.text);
  return received;
}

export async function operationsOf({ paydesk, merchant }: Scene): Promise<readonly Operation[]> {
  return paydesk.store.list('operations', { scope: merchant.scope, limit: 1_000 });
}

const isWorkedOn = ({ status, dueAt }: Operation): boolean => status === 'pending' && dueAt !== null;
const maxSteps = 200;
const pollEveryMs = 20;

/**
 * Lets time pass until nothing is left to find out: the provider has finished its work, every operation is settled, and
 * every notification acted on.
 */
export async function quiet(scene: Scene): Promise<void> {
  const { provider, clock } = scene;
  for (let step = 0; step < maxSteps; step += 1) {
    await provider.settlePending();
    await provider.notifications?.idle();
    const dueTimes = await workLeftByJobs(scene);
    if (dueTimes.length === 0) return;
    const next = Math.min(...dueTimes);
    if (next > clock.now()) clock.advance(next - clock.now());
    const before = JSON.stringify(dueTimes);
    await until('the work that is due was done', async () => {
      await pause(pollEveryMs);
      return JSON.stringify(await openWork(scene)) !== before;
    });
  }
  assert.fail(`still not settled: ${JSON.stringify(await operationsOf(scene))}`);
}

/**
 * What is still to be found out when no job is at it. Until then it is due when the lease of the job ends, and at that time
 * another job would begin the same work.
 */
async function workLeftByJobs(scene: Scene): Promise<number[]> {
  for (;;) {
    const before = await openWork(scene);
    await scene.paydesk.idle();
    const dueTimes = await openWork(scene);
    if (JSON.stringify(dueTimes) === JSON.stringify(before)) return dueTimes;
  }
}

/** Lets time pass, but not while a job works: its lease would end. */
export async function passTime({ paydesk, clock }: Scene, ms: number): Promise<void> {
  await paydesk.idle();
  clock.advance(ms);
}

/** When each thing that is still to be found out is due. */
async function openWork(scene: Scene): Promise<number[]> {
  const { paydesk, merchant } = scene;
  const operations = (await operationsOf(scene)).filter(isWorkedOn);
  const all = await paydesk.store.list('acquirerNotices', { scope: merchant.scope, limit: 1_000 });
  const notices = all.filter(({ dueAt }) => dueAt !== null);
  return [...operations, ...notices].map(({ dueAt }) => dueAt ?? 0);
}
