// Paydesk in this process: the real app with a real database, listening on a real port, and merchants to act as.

import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { after, before } from 'node:test';
import type { Providers } from '../../src/acquirers/providers.ts';
import { startApp } from '../../src/app.ts';
import { type Config, readConfig } from '../../src/config.ts';
import type { Event } from '../../src/domain/event.ts';
import { type MoveDetails, move, type Payment, type Trigger } from '../../src/domain/life-cycle.ts';
import type { Merchant, Scope } from '../../src/domain/merchant.ts';
import { type Clock, momentAt } from '../../src/domain/moment.ts';
import { type SecretBox, secretBox } from '../../src/domain/secret-box.ts';
import type { ServerLimits } from '../../src/http/server.ts';
import { loggingTo } from '../../src/log.ts';
import type { DatabaseAddress } from '../../src/storage/open-store.ts';
import type { Store } from '../../src/storage/store.ts';
import { createMerchant } from '../../src/usecases/create-merchant.ts';
import { type ApiClient, apiClient, type Fields, must } from './api-client.ts';
import { type ApiContract, loadContract } from './api-contract.ts';
import { mustCommit } from './committing.ts';
import type { CleansUp, Engine } from './engines.ts';
import { type FakeClock, fakeClock } from './fake-clock.ts';
import { lowPasswordCost } from './password-cost.ts';
import { patienceMs } from './until.ts';

export const secretKey: Uint8Array = Buffer.alloc(32, 7);
export const systemClock: Clock = { now: () => Date.now() };

/** For tests of acquirers that do not respond, which wait as long. */
export const shortAcquirerTimeout: Readonly<Record<string, string>> = { PAYDESK_ACQUIRER_TIMEOUT: '4' };

export interface PaydeskOptions {
  /** Environment settings; unless set here, the rate limit, metrics and grace period are off, and an acquirer has a minute. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly limits?: Partial<ServerLimits>;
  /** A running clock; the default clock stands still until the test moves `clock`. */
  readonly runningClock?: Clock;
  /** For durations, instead of real time, if there is a running clock. */
  readonly steadyClock?: Clock;
  /** Jobs run at least this often, instead of waiting for their time. */
  readonly longestPauseMs?: number;
  /** Providers that accounts can be made for. */
  readonly providers?: Providers;
  /** Passwords cost what they cost in production, instead of very little. */
  readonly realPasswordCost?: boolean;
  /** Wraps the storage to inject faults, also into the sandbox, which stores its state there. */
  readonly storage?: (store: Store) => Store;
}

export interface Paydesk {
  readonly url: string;
  readonly metricsUrl: string;
  readonly address: DatabaseAddress;
  /** Another store on the same database, as a CLI command would open it. */
  readonly store: Store;
  readonly clock: FakeClock;
  readonly secretBox: SecretBox;
  readonly contract: ApiContract;
  /** All lines logged so far. */
  logLines(): Fields[];
  newMerchant(): Promise<TestMerchant>;
  /** Resolves when no job is working with an acquirer. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

export interface TestMerchant {
  readonly merchant: Merchant;
  readonly test: ApiClient;
  readonly live: ApiClient;
  readonly scope: Scope;
  /** Creates a session over the API: 12.50 EUR unless these fields say otherwise. */
  newSession(fields?: Fields): Promise<Fields>;
  /** Oldest first. */
  events(): Promise<readonly Event[]>;
  /** Moves a payment through its life cycle as the customer and the acquirer would. */
  moveOn(sessionId: unknown, ...triggers: readonly (Trigger | readonly [Trigger, MoveDetails])[]): Promise<void>;
}

export function settingsFor(address: DatabaseAddress, settings: PaydeskOptions['settings'] = {}): Config {
  const config = readConfig({
    PORT: '0',
    PAYDESK_PUBLIC_URL: 'https://pay.test.example',
    PAYDESK_METRICS_ADDRESS: 'off',
    PAYDESK_RATE_LIMIT: '0',
    PAYDESK_SHUTDOWN_GRACE: '0',
    DATABASE_URL: address.engine === 'sqlite' ? `sqlite:${address.path}` : address.url,
    ...settings,
  });
  // A busy machine may need longer than any setting allows.
  return settings.PAYDESK_ACQUIRER_TIMEOUT === undefined ? { ...config, acquirerTimeoutMs: patienceMs } : config;
}

/** Starts the app on a fresh database; both are removed after the test or suite. */
export async function startPaydesk(
  test: CleansUp,
  engine: Engine,
  options: PaydeskOptions = {},
): Promise<Paydesk & { startAnother(options?: PaydeskOptions): Promise<Paydesk> }> {
  const opened = await engine.openFresh();
  const started: Paydesk[] = [];
  test.after(async () => {
    for (const one of started) await one.stop();
    await opened.remove();
  });
  const secondStore = engine.name === 'sqlite' ? await opened.openAnother() : opened.store;
  const start = async (store: Store, chosen: PaydeskOptions): Promise<Paydesk> => {
    const paydesk = await startOn({ address: opened.address, serving: store, secondStore }, chosen);
    started.push(paydesk);
    return paydesk;
  };
  const first = await start(engine.name === 'sqlite' ? opened.store : await opened.openAnother(), options);
  return { ...first, startAnother: async (chosen = options) => start(await opened.openAnother(), chosen) };
}

async function startOn(
  { address, serving, secondStore }: { address: DatabaseAddress; serving: Store; secondStore: Store },
  options: PaydeskOptions,
): Promise<Paydesk> {
  const { settings, runningClock, steadyClock, limits, providers, longestPauseMs } = options;
  const { storage = (store) => store, realPasswordCost = false } = options;
  const clock = fakeClock();
  const box = secretBox(secretKey, randomBytes);
  const { logging, lines } = capturedLog();
  const app = await startApp({
    config: settingsFor(address, settings),
    store: storage(serving),
    secretBox: box,
    logging,
    clock: runningClock ?? clock,
    ...(runningClock === undefined ? { steadyClock: clock.steady } : steadyClock === undefined ? {} : { steadyClock }),
    random: randomBytes,
    ...(limits === undefined ? {} : { limits }),
    ...(longestPauseMs === undefined ? {} : { longestPauseMs }),
    ...(providers === undefined ? {} : { providers }),
    ...(realPasswordCost ? {} : { passwordCost: lowPasswordCost }),
  });
  const contract = await loadContract(app.address);
  let stopped: Promise<void> | undefined;
  return {
    url: app.address,
    metricsUrl: app.metricsAddress ?? '',
    address,
    store: secondStore,
    clock,
    secretBox: box,
    contract,
    logLines: lines,
    newMerchant: () =>
      newTestMerchant({ store: secondStore, clock: runningClock ?? clock, url: app.address, contract }),
    idle: () => app.idle(),
    stop: () => {
      stopped ??= app.close();
      return stopped;
    },
  };
}

async function newTestMerchant(deps: {
  store: Store;
  clock: Clock;
  url: string;
  contract: ApiContract;
}): Promise<TestMerchant> {
  const { store, clock, url, contract } = deps;
  const moment = () => momentAt(clock.now(), randomBytes);
  const created = await createMerchant({ store, moment, random: randomBytes, actor: 'test' }, 'Shop of Tests');
  if (created === null) throw new Error('the merchant was not created');
  const { merchant, testKey, liveKey } = created;
  const scope: Scope = { merchantId: merchant.id, livemode: false };
  const test = apiClient({ url, key: testKey, contract });
  return {
    merchant,
    test,
    live: apiClient({ url, key: liveKey, contract }),
    scope,
    newSession: async (fields = {}) =>
      must(201, await test.post('/checkout-sessions', { amount: 1250, currency: 'EUR', ...fields })),
    events: async () => [...(await store.list('events', { scope: scope, limit: 1_000 }))].reverse(),
    async moveOn(sessionId, ...triggers) {
      for (const step of triggers) {
        const [trigger, details] = typeof step === 'string' ? [step, {}] : step;
        const payment: Payment | null = await store.find('paymentsBySession', scope, String(sessionId));
        const moved = payment && move(payment, trigger, moment(), details);
        if (moved === null) throw new Error(`${trigger} is not possible in ${payment?.intent.status}`);
        await mustCommit(store, {
          paymentIntents: [moved.intent],
          checkoutSessions: moved.sessionMoved ? [moved.session] : [],
          events: moved.events,
        });
      }
    },
  };
}

/** One Paydesk for all tests of a suite, started before the first and stopped after the last. */
export function paydeskForSuite(engine: Engine, options: PaydeskOptions = {}): () => Paydesk {
  let paydesk: Paydesk | undefined;
  const cleanUps: (() => Promise<void>)[] = [];
  before(async () => {
    paydesk = await startPaydesk({ after: (work) => cleanUps.push(work) }, engine, options);
  });
  after(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });
  return () => {
    if (paydesk === undefined) throw new Error('Paydesk was not started');
    return paydesk;
  };
}

function capturedLog() {
  const written: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written.push(chunk.toString());
      done();
    },
  });
  const logging = loggingTo('trace', stream);
  const lines = (): Fields[] =>
    written
      .join('')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Fields);
  return { logging, lines };
}
