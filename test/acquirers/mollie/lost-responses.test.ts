// Random payments and refunds with random faults, lost answers and forgotten references. Whatever happens, each operation
// is carried out at most once, and the last answer agrees with Mollie's books.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { type AcquirerOperation, AcquirerSilent, type Answer, type FollowUp } from '../../../src/acquirers/acquirer.ts';
import type { Choice } from '../mollie-simulator/books.ts';
import type { Fault } from '../mollie-simulator/faults.ts';
import { followUp, hour, mollieAccount, type TestAccount } from './mollie-account.ts';

interface Step {
  readonly call: 'make' | 'inquire' | 'close';
  readonly fault: Fault | null;
  /** The process dies before it can store the answer. */
  readonly isLost: boolean;
  readonly minutes: number;
  readonly choice: Choice | null;
}

const step: fc.Arbitrary<Step> = fc.record({
  call: fc.constantFrom('make', 'make', 'inquire', 'close'),
  fault: fc.option(
    fc.record({
      when: fc.constantFrom('before', 'after'),
      how: fc.constantFrom<Fault['how'][]>('reset', 'garbage', 'nonsense', 'truncated', 500, 503, 429),
    }),
  ),
  isLost: fc.boolean(),
  minutes: fc.integer({ min: 0, max: 25 }),
  choice: fc.option(fc.constantFrom<Choice[]>('paid', 'failed', 'canceled', 'pending'), { freq: 3 }),
});
const steps = fc.array(step, { minLength: 1, maxLength: 6 });

const rounds = 200;
const finalOf = { paid: 'done', failed: 'declined', canceled: 'abandoned', expired: 'abandoned', pending: 'pending' };

/** Runs the steps, and returns the operation as it would be stored, and the answer when all is quiet again. */
async function run<Operation extends AcquirerOperation | FollowUp>(
  { account, simulator, clock }: TestAccount,
  operation: Operation,
  make: (operation: Operation) => Promise<Answer>,
  todo: readonly Step[],
): Promise<{ operation: Operation; answer: Answer }> {
  let stored = operation;
  for (const { call, fault, isLost, minutes, choice } of todo) {
    if (fault !== null) simulator.faults.add(fault);
    const ask = { make, inquire: account.inquire, close: account.close }[call];
    const answer = await ask(stored).catch((error) => {
      if (!(error instanceof AcquirerSilent)) throw error;
      return null;
    });
    simulator.faults.clear();
    if (answer !== null && !isLost) stored = { ...stored, reference: answer.reference ?? stored.reference };
    for (const { id, status } of simulator.books.payments) {
      if (choice !== null && status === 'open') simulator.books.choose(id, choice);
    }
    clock.now += minutes * 60_000;
  }
  clock.now += 3 * hour;
  const answer = await account.close(stored);
  return { operation: { ...stored, reference: answer.reference ?? stored.reference }, answer };
}

describe('a payment at Mollie that goes wrong in random ways', () => {
  it('is made at most once, and ends as in the books of Mollie', async (test) => {
    const at = await mollieAccount(test);
    await fc.assert(
      fc.asyncProperty(steps, async (todo) => {
        const before = at.simulator.books.payments.length;
        const { operation, answer } = await run(at, await at.begun(), at.account.authorise, todo);
        const made = at.simulator.books.payments.slice(before);
        assert.ok(made.length <= 1, 'made twice');
        const [payment] = made;
        assert.equal(answer.reference, payment?.id);
        assert.equal(operation.reference, payment?.id ?? null);
        const status = payment?.status as keyof typeof finalOf | undefined;
        assert.equal(answer.outcome.kind, status === undefined ? 'not_made' : finalOf[status]);
      }),
      { numRuns: rounds },
    );
  });
});

describe('a refund at Mollie that goes wrong in random ways', () => {
  it('is made at most once, and the sums agree', async (test) => {
    const at = await mollieAccount(test);
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 3 }), async (refunds) => {
        const payment = await at.paid();
        let expected = 0;
        for (const [index, todo] of refunds.entries()) {
          const refund = { ...followUp('refund', payment, 100 * (index + 1)), createdAt: at.clock.now };
          const { answer } = await run(at, refund, at.account.refund, todo);
          assert.match(answer.outcome.kind, /^(pending|not_made)$/);
          if (answer.outcome.kind === 'pending') expected += refund.amount;
        }
        const made = at.simulator.books.find(payment.reference ?? '').refunds;
        assert.equal(
          made.reduce((sum, { amount }) => sum + amount, 0),
          expected,
        );
        assert.equal(new Set(made.map(({ metadata }) => JSON.stringify(metadata))).size, made.length);
      }),
      { numRuns: rounds },
    );
  });
});
