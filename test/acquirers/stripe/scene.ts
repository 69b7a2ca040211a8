// An account at a simulated Stripe, with a clock that tests move. Operations keep what each call returns, as commits do.

import assert from 'node:assert/strict';
import type {
  AcquirerOperation,
  Answer,
  BeginRequest,
  Begun,
  FollowUp,
  MoneyOutcome,
} from '../../../src/acquirers/acquirer.ts';
import { AcquirerSilent } from '../../../src/acquirers/acquirer.ts';
import type { DoorRequest, DoorResponse } from '../../../src/acquirers/door.ts';
import { createHttpDoor } from '../../../src/acquirers/http-door.ts';
import type { ProviderAccount } from '../../../src/acquirers/provider.ts';
import { stripe } from '../../../src/acquirers/stripe/stripe.ts';
import type { CleansUp } from '../../support/engines.ts';
import { type FakeClock, fakeClock } from '../../support/fake-clock.ts';
import { patienceMs } from '../../support/until.ts';
import { type SimulatorOptions, type StripeSimulator, startStripeSimulator } from '../stripe-simulator/simulator.ts';

export interface Scene {
  readonly simulator: StripeSimulator;
  readonly account: ProviderAccount;
  readonly clock: FakeClock;
  begin(card: string, changes?: Partial<BeginRequest>): Promise<Begun>;
  /** Begins, and keeps the operation as it would be committed. */
  begun(card: string, changes?: Partial<BeginRequest>): Promise<AcquirerOperation>;
  /** Begins and authorises. */
  paid(card?: string, changes?: Partial<BeginRequest>): Promise<AcquirerOperation>;
  followUp(payment: AcquirerOperation, kind: FollowUp['kind'], changes?: Partial<FollowUp>): FollowUp;
}

export const returnUrl = 'https://pay.example/checkout/cs_1/return';

export interface SceneOptions extends Omit<SimulatorOptions, 'now'> {
  readonly givenKey?: string;
}

export async function openScene(test: CleansUp, options: SceneOptions = {}): Promise<Scene> {
  const { givenKey, ...simulated } = options;
  const clock = fakeClock();
  const simulator = await startStripeSimulator(test, { ...simulated, now: clock.now });
  const door = createHttpDoor({ userAgent: 'Paydesk/test', timeoutMs: patienceMs });
  test.after(() => door.close());
  // The deadline passes at the moment at which the simulator falls silent.
  const send = (request: DoorRequest): Promise<DoorResponse> =>
    Promise.race([
      door.send(request),
      simulator.faults.untilSilent().then((giveUp) => {
        giveUp();
        throw new AcquirerSilent('The deadline has passed.');
      }),
    ]);
  const account = stripe.connect({
    livemode: false,
    credentials: {
      secret_key: givenKey ?? simulator.secretKey,
      publishable_key: 'pk_test_simulated',
      webhook_secret: 'whsec_simulated',
    },
    door: { ...door, send },
    apiUrl: simulator.url,
    now: clock.now,
  });
  let last = 0;
  const newId = (): string => {
    last += 1;
    return `op_${last}`;
  };

  const requestOf = (card: string, changes: Partial<BeginRequest>): BeginRequest => ({
    id: newId(),
    amount: 1_999,
    currency: 'EUR',
    captureMethod: 'automatic',
    method: 'card',
    card: { kind: 'token', token: card },
    returnUrl,
    notificationUrl: 'https://pay.example/acquirers/acq_1/notifications',
    description: 'Order 17',
    merchant: { name: 'Shop', logoUrl: null, accentColor: null },
    locale: 'en',
    customerEmail: null,
    ids: { paymentIntent: 'pi_ours', checkoutSession: 'cs_ours' },
    ...changes,
  });

  const scene: Scene = {
    simulator,
    account,
    clock,
    begin: (card, changes = {}) => account.begin(requestOf(card, changes)),
    async begun(card, changes = {}) {
      const request = requestOf(card, changes);
      const begun = await account.begin(request);
      assert.equal(begun.next, 'authorise', JSON.stringify(begun));
      const { id, amount, currency } = request;
      const [reference, state] = begun.next === 'authorise' ? [begun.reference ?? null, begun.state ?? null] : [];
      return { id, amount, currency, reference: reference ?? null, state: state ?? null, createdAt: clock.now() };
    },
    async paid(card = 'pm_card_visa', changes = {}) {
      const payment = await scene.begun(card, changes);
      const expected = changes.captureMethod === 'manual' ? 'authorised' : 'done';
      assert.equal((await account.authorise(payment)).outcome.kind, expected);
      return payment;
    },
    followUp: (payment, kind, changes = {}) => ({
      id: newId(),
      kind,
      payment,
      amount: payment.amount,
      currency: payment.currency,
      reference: null,
      state: null,
      createdAt: clock.now(),
      ...changes,
    }),
  };
  return scene;
}

/** The operation after the commit of an answer. */
export function committed<T extends AcquirerOperation>(operation: T, { reference, state }: Answer): T {
  return {
    ...operation,
    ...(reference === undefined ? {} : { reference }),
    ...(state === undefined ? {} : { state: JSON.parse(JSON.stringify(state)) as Record<string, unknown> }),
  };
}

export function assertOutcome(answer: Answer, outcome: MoneyOutcome): void {
  assert.deepEqual(answer.outcome, outcome);
}

export async function assertSilent(answer: Promise<unknown>, message?: RegExp): Promise<AcquirerSilent> {
  const error = await answer.then(
    (value) => assert.fail(`answered ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof AcquirerSilent, String(error));
  if (message !== undefined) assert.match(error.message, message);
  return error;
}

/** The customer completes or fails the challenge; returns where they are sent. */
export async function answerChallenge(url: string, answer: 'pass' | 'fail'): Promise<string> {
  const page = await fetch(url);
  assert.match(await page.text(), /Complete authentication/);
  const response = await fetch(`${url}/${answer}`, { method: 'POST', redirect: 'manual' });
  assert.equal(response.status, 303);
  return response.headers.get('location') ?? '';
}
