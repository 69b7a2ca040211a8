// A payment at an acquirer that a test plays: the use cases and jobs are the real ones, on real storage.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Acquirer } from '../../src/acquirers/acquirer.ts';
import type { CheckoutSession } from '../../src/domain/checkout-session.ts';
import type { Event } from '../../src/domain/event.ts';
import { momentAt } from '../../src/domain/moment.ts';
import type { Operation } from '../../src/domain/operation.ts';
import type { PaymentIntent } from '../../src/domain/payment-intent.ts';
import type { Refund } from '../../src/domain/refund.ts';
import { secretBox } from '../../src/domain/secret-box.ts';
import { turns } from '../../src/domain/turns.ts';
import { expireSessions } from '../../src/jobs/expire-sessions.ts';
import { lapseAuthorizations } from '../../src/jobs/lapse-authorizations.ts';
import { reconcileOperations } from '../../src/jobs/reconcile-operations.ts';
import type { DatabaseAddress } from '../../src/storage/open-store.ts';
import { type Completed, completeAction } from '../../src/usecases/complete-action.ts';
import { type PayDeps, type PayRequest, type PayResult, pay } from '../../src/usecases/pay.ts';
import { mustFindPayment, mustStore } from '../support/committing.ts';
import { type CleansUp, type Engine, freshStore } from '../support/engines.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { secretKey } from '../support/paydesk.ts';
import { aPayment, plainLook } from '../support/records.ts';
import { onlyAt } from './scripted-acquirer.ts';

export interface ScriptedScene {
  readonly deps: PayDeps;
  readonly address: DatabaseAddress;
  /** What the jobs reported as failed. */
  readonly problems: unknown[];
  /** The errors of operations that could not be settled. */
  readonly unsettled: unknown[];
  readonly intentId: string;
  readonly sessionId: string;
  readonly scope: PaymentIntent;
  readonly clock: ReturnType<typeof fakeClock>;
  /** By card, unless told otherwise. */
  pay(operationId?: string, request?: Partial<PayRequest>): Promise<PayResult>;
  /** The customer comes back from the provider. */
  comeBack(operationId: string): Promise<Completed>;
  /** Each advances the clock, then runs a job once. */
  reconcileAfter(ms: number): Promise<void>;
  lapseAfter(ms: number): Promise<void>;
  expireAfter(ms: number): Promise<void>;
  intent(): Promise<PaymentIntent>;
  session(): Promise<CheckoutSession>;
  operation(id: string): Promise<Operation>;
  refunds(): Promise<readonly Refund[]>;
  /** The types of the events, oldest first. */
  events(): Promise<readonly Event['type'][]>;
}

export interface SceneTerms {
  readonly captureMethod?: 'automatic' | 'manual';
  readonly expiresInSeconds?: number;
}

export async function scriptedScene(
  t: CleansUp,
  engine: Engine,
  acquirer: Acquirer,
  { captureMethod = 'automatic', expiresInSeconds = 86_400 }: SceneTerms = {},
): Promise<ScriptedScene> {
  const { store, address } = await freshStore(t, engine);
  const clock = fakeClock();
  const moment = () => momentAt(clock.now(), randomBytes);
  const terms = { captureMethod, paymentMethodTypes: ['card', 'ideal'] as const };
  const { intent, session } = await mustStore(store, aPayment({ terms, expiresInSeconds }));
  const unsettled: unknown[] = [];
  const deps: PayDeps = {
    store,
    moment,
    acquirers: onlyAt(acquirer),
    sendsMail: false,
    onUnsettled: (_id, error) => {
      unsettled.push(error);
    },
    secretBox: secretBox(secretKey, randomBytes),
    attemptsInTurn: turns(),
    declineLimits: { windowMs: 1_000, perSession: 100, perAddress: 100, perCard: 100 },
    pause,
  };
  const problems: unknown[] = [];
  const onFailed = (_id: string, error: unknown): void => {
    problems.push(error);
  };
  return {
    deps,
    address,
    problems,
    unsettled,
    clock,
    intentId: intent.id,
    sessionId: session.id,
    scope: intent,
    pay: async (operationId = moment().newId('op'), request = {}) =>
      pay(deps, await mustFindPayment(store, intent, session.id), {
        sessionId: session.id,
        operationId,
        amount: 1250,
        method: 'card',
        ...(request.method === undefined || request.method === 'card'
          ? { card: { number: '4242424242424242', brand: 'visa', expMonth: 12, expYear: 2034, cvc: '123', name: '' } }
          : {}),
        address: '203.0.113.7',
        returnUrl: 'https://pay.test.example/return',
        ...plainLook,
        ...request,
      }),
    comeBack: (operationId) => completeAction(deps, operationId),
    async reconcileAfter(ms) {
      clock.advance(ms);
      await reconcileOperations({ ...deps, onFailed });
    },
    async lapseAfter(ms) {
      clock.advance(ms);
      await lapseAuthorizations({ ...deps, onFailed });
    },
    async expireAfter(ms) {
      clock.advance(ms);
      await expireSessions({ ...deps, onFailed, onExpired: () => {} });
    },
    intent: async () => (await store.find('paymentIntents', intent, intent.id)) ?? assert.fail(),
    session: async () => (await store.find('checkoutSessions', session, session.id)) ?? assert.fail(),
    operation: async (id) => (await store.findBy('operations', 'id', id)) ?? assert.fail(),
    refunds: () => store.list('refunds', { scope: intent, where: { paymentIntentId: intent.id }, limit: 100 }),
    async events() {
      const events = await store.list('events', { scope: intent, limit: 100 });
      return events.toSorted((a, b) => a.createdAt - b.createdAt || (a.type < b.type ? 1 : -1)).map(({ type }) => type);
    },
  };
}
