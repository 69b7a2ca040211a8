// Random payments with random faults: whatever happens on the way, our books and those of Stripe agree in the end.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type AcquirerOperation, AcquirerSilent, type Answer, type FollowUp } from '../../../src/acquirers/acquirer.ts';
import type { Fault } from '../stripe-simulator/faults.ts';
import { answerChallenge, committed, openScene, type Scene } from './scene.ts';

const faults: readonly (Fault | null)[] = [
  ...['silent_before', 'silent_after', 'reset_before', 'reset_after', 'garbage_before', 'garbage_after'],
  ...['500_before', '500_after', '503_before', '429', null, null, null, null],
] as (Fault | null)[];
const cards = [
  'card_visa',
  'card_visa_chargeDeclined',
  'card_threeDSecure2Required',
  'card_threeDSecureRequiredChargeDeclined',
];

interface Plan {
  readonly card: string;
  readonly manual: boolean;
  readonly amount: number;
  readonly passes: boolean;
  readonly voids: boolean;
  /** How an unknown outcome is resolved, call by call. */
  readonly closes: readonly boolean[];
  readonly faults: readonly (Fault | null)[];
}

const plans: fc.Arbitrary<Plan> = fc.record({
  card: fc.tuple(fc.constantFrom('pm_', 'ctoken_'), fc.constantFrom(...cards)).map((parts) => parts.join('')),
  manual: fc.boolean(),
  amount: fc.integer({ min: 100, max: 99_999_999 }),
  passes: fc.boolean(),
  voids: fc.boolean(),
  closes: fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
  faults: fc.array(fc.constantFrom(...faults), { minLength: 12, maxLength: 12 }),
});

const isFinal = ({ outcome }: Answer): boolean => !['pending', 'action', 'ready'].includes(outcome.kind);
/** More than the faults of a plan: after them, every call is answered. */
const maxCalls = 40;

/** Pays as the use cases do: an answer is committed, an unknown outcome is inquired about or closed. */
async function settle<T extends AcquirerOperation | FollowUp>(
  { account, simulator }: Scene,
  plan: Plan,
  first: T,
  request: (operation: T) => Promise<Answer>,
): Promise<{ operation: T; kind: Answer['outcome']['kind'] }> {
  let operation = first;
  let next = request;
  for (let call = 0; call < maxCalls; call += 1) {
    const fault = plan.faults[call];
    if (fault !== undefined && fault !== null) simulator.faults.inject('*', fault);
    const resolve = plan.closes[call] === true || 'payment' in operation ? account.close : account.inquire;
    try {
      const answer = await next(operation);
      operation = committed(operation, answer);
      if (isFinal(answer)) return { operation, kind: answer.outcome.kind };
      if (answer.outcome.kind === 'action') {
        simulator.faults.clear();
        await answerChallenge(answer.outcome.url, plan.passes ? 'pass' : 'fail');
      }
      next = answer.outcome.kind === 'ready' ? request : 'payment' in operation ? account.close : account.inquire;
    } catch (error) {
      if (!(error instanceof AcquirerSilent)) throw error;
      next = resolve;
    } finally {
      simulator.faults.clear();
    }
  }
  return assert.fail(`no outcome after ${maxCalls} calls`);
}

describe('Our books and those of Stripe', () => {
  it('agree to the last unit after any faults', async (t) => {
    const scene = await openScene(t);
    const { account, simulator, followUp } = scene;
    const ours = { captured: 0, held: 0, refunded: 0 };
    const seen = new Set<string>();
    let expectedCharges = 0;

    async function pay(plan: Plan): Promise<void> {
      const payment = await scene.begun(plan.card, {
        amount: plan.amount,
        captureMethod: plan.manual ? 'manual' : 'automatic',
      });
      const paid = await settle(scene, plan, payment, account.authorise);
      seen.add(paid.kind);
      if (paid.kind === 'done' || paid.kind === 'authorised') expectedCharges += 1;
      if (paid.kind === 'done') ours.captured += plan.amount;
      if (paid.kind === 'authorised') {
        const kind = plan.voids ? 'void' : 'capture';
        const part = plan.voids ? plan.amount : plan.amount - 50;
        const operation = followUp(paid.operation, kind, { amount: part });
        const ended = await settle(scene, plan, operation, account[kind]);
        assert.equal(ended.kind, 'done');
        seen.add(kind);
        if (!plan.voids) ours.captured += part;
      }
      if (paid.kind === 'done' || (paid.kind === 'authorised' && !plan.voids)) {
        const operation = followUp(paid.operation, 'refund', { amount: 30 });
        assert.equal((await settle(scene, plan, operation, account.refund)).kind, 'done');
        ours.refunded += 30;
      }
    }

    const property = fc.asyncProperty(plans, async (plan) => {
      await pay(plan);
      assert.deepEqual(simulator.totals(), ours);
      const charges = [...simulator.books.charges.values()].filter(({ status }) => status === 'succeeded');
      assert.equal(charges.length, expectedCharges);
    });
    // Without shrinking: each run continues with the books of the one before.
    await fc.assert(property, { numRuns: 200, endOnFailure: true });
    for (const kind of ['done', 'authorised', 'declined', 'abandoned', 'not_made', 'capture', 'void'])
      assert.ok(seen.has(kind), `${kind} was never seen`);
  });
});
