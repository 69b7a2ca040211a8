// Compares payments with a model of the specification, under any sequence of transitions, captures and refunds.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isRefusal } from '../../src/domain/errors.ts';
import type { Event } from '../../src/domain/event.ts';
import { type MoveDetails, move, type Payment, type Trigger } from '../../src/domain/life-cycle.ts';
import { momentAt } from '../../src/domain/moment.ts';
import { amountToCapture } from '../../src/domain/payment-intent.ts';
import { openRefund, type Refund, settleRefund } from '../../src/domain/refund.ts';
import { deterministicRandom } from '../support/deterministic-random.ts';
import { startOfTests } from '../support/fake-clock.ts';
import { aPayment } from '../support/records.ts';
import { decidedMove, decidedMoves, triggers } from './decided-moves.ts';

type Command =
  | { readonly do: 'move'; readonly trigger: Trigger }
  /** One of the transitions that are possible here, so that sequences get far. */
  | { readonly do: 'go on'; readonly pick: number }
  | { readonly do: 'capture'; readonly amount: number | undefined }
  | { readonly do: 'refund'; readonly amount: number | undefined }
  | { readonly do: 'settle refund'; readonly pick: number; readonly outcome: 'succeeded' | 'failed' };

const amount = 100;
/** Small, so that parts often add up to the whole and sometimes exceed it. */
const amounts = fc.option(fc.oneof(fc.integer({ min: 1, max: 130 }), fc.constantFrom(50, 99, 100, 101)), {
  nil: undefined,
});
const commands: fc.Arbitrary<Command[]> = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: fc.record({ do: fc.constant('move'), trigger: fc.constantFrom(...triggers) }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('go on'), pick: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('capture'), amount: amounts }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('refund'), amount: amounts }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('settle refund'),
        pick: fc.nat(),
        outcome: fc.constantFrom('succeeded', 'failed'),
      }),
    },
  ) as fc.Arbitrary<Command>,
  { maxLength: 40 },
);

interface World {
  payment: Payment;
  refunds: Refund[];
  readonly events: Event[];
  /** Rows of the specified table that were used. */
  readonly taken: Set<string>;
}

const error = { code: 'card_declined', message: 'No.' };

/** The details that a use case passes with the transition. */
function detailsOf(trigger: Trigger, captured: number): MoveDetails {
  if (trigger === 'captured' || trigger === 'capture') return { amountCaptured: captured };
  if (trigger === 'declined' || trigger === 'action_failed') return { lastPaymentError: error };
  return {};
}

function applyMove(world: World, trigger: Trigger, captured: number, now: number): void {
  const { payment } = world;
  const { status } = payment.intent;
  const decided = decidedMove(status, trigger, payment.session.status);
  const moved = move(payment, trigger, momentAt(now, deterministicRandom(now)), detailsOf(trigger, captured));
  assert.equal(moved?.intent.status ?? null, decided?.to ?? null, `${trigger} from ${status}`);
  if (moved === null || decided === null) return;
  world.taken.add(`${status} ${trigger}`);
  const ends = decided.session !== undefined && payment.session.status === 'open';
  assert.equal(moved.session.status, ends ? decided.session : payment.session.status);
  const expected = [decided.event, ends ? `checkout_session.${decided.session}` : undefined];
  assert.deepEqual(moved.events.map(({ type }) => type).sort(), expected.filter((type) => type !== undefined).sort());
  for (const event of moved.events) {
    const ofIntent = event.type.startsWith('payment_intent.');
    assert.equal(event.data.id, ofIntent ? moved.intent.id : moved.session.id);
    assert.equal(event.data.status, ofIntent ? moved.intent.status : moved.session.status);
    assert.equal(event.data.amount, amount);
    assert.equal('last_payment_error' in event.data, event.type === 'payment_intent.payment_failed');
  }
  world.payment = deepFreeze({ intent: moved.intent, session: moved.session });
  world.events.push(...moved.events);
}

function applyRefund(world: World, requested: number | undefined, now: number): void {
  const { intent } = world.payment;
  const left = intent.amountCaptured - notFailed(world.refunds);
  const change = openRefund(
    intent,
    requested === undefined ? {} : { amount: requested },
    momentAt(now, deterministicRandom(now)),
  );
  const possible = intent.status === 'succeeded' && left > 0 && (requested ?? left) <= left;
  assert.equal(!isRefusal(change), possible, `refund of ${requested} with ${left} left in ${intent.status}`);
  if (isRefusal(change)) return;
  assert.equal(change.refund.amount, requested ?? left);
  assert.deepEqual(
    change.events.map(({ type, data }) => [type, data.id, data.status]),
    [['refund.created', change.refund.id, 'pending']],
  );
  world.payment = deepFreeze({ ...world.payment, intent: change.intent });
  world.refunds = [...world.refunds, deepFreeze(change.refund)];
  world.events.push(...change.events);
}

function applySettlement(world: World, pick: number, outcome: 'succeeded' | 'failed', now: number): void {
  const index = pick % Math.max(1, world.refunds.length);
  const refund = world.refunds[index];
  if (refund === undefined) return;
  const change = settleRefund(world.payment.intent, refund, outcome, momentAt(now, deterministicRandom(now)));
  const canStillFail = refund.status === 'succeeded' && outcome === 'failed';
  assert.equal(change !== null, refund.status === 'pending' || canStillFail, 'a refund has one outcome, or fails late');
  if (change === null) return;
  assert.equal(change.refund.status, outcome);
  assert.deepEqual(
    change.events.map(({ type, data }) => [type, data.id, data.status]),
    outcome === 'failed' ? [['refund.failed', refund.id, 'failed']] : [],
  );
  world.payment = deepFreeze({ ...world.payment, intent: change.intent });
  world.refunds = world.refunds.with(index, deepFreeze(change.refund));
  world.events.push(...change.events);
}

function apply(world: World, command: Command, now: number): void {
  const { intent, session } = world.payment;
  if (command.do === 'move') applyMove(world, command.trigger, amount, now);
  if (command.do === 'refund') applyRefund(world, command.amount, now);
  if (command.do === 'settle refund') applySettlement(world, command.pick, command.outcome, now);
  if (command.do === 'go on') {
    const possible = triggers.filter((trigger) => decidedMove(intent.status, trigger, session.status) !== null);
    const trigger = possible[command.pick % Math.max(1, possible.length)];
    if (trigger !== undefined) applyMove(world, trigger, amount, now);
  }
  if (command.do === 'capture') {
    const captured = amountToCapture(intent, command.amount);
    assert.equal(isRefusal(captured), command.amount !== undefined && command.amount > amount);
    if (!isRefusal(captured)) applyMove(world, 'capture', captured, now);
  }
}

function notFailed(refunds: readonly Refund[]): number {
  return refunds.filter(({ status }) => status !== 'failed').reduce((sum, refund) => sum + refund.amount, 0);
}

/** The invariants after every step. */
function assertInvariants({ payment: { intent, session }, refunds, events }: World): void {
  assert.ok(intent.amountCaptured <= intent.amount, 'no more is captured than the amount');
  assert.ok(intent.amountRefunded <= intent.amountCaptured, 'no more is refunded than was captured');
  assert.equal(intent.amountRefunded, notFailed(refunds));
  assert.equal(intent.amountCaptured > 0, intent.status === 'succeeded', 'captured if and only if it succeeded');
  assert.equal(intent.canceledAt !== null, intent.status === 'canceled');
  assert.equal(session.completedAt !== null, session.status === 'completed');
  const count = (type: Event['type']): number => events.filter((event) => event.type === type).length;
  assert.equal(count('payment_intent.succeeded'), intent.status === 'succeeded' ? 1 : 0);
  assert.equal(count('payment_intent.canceled'), intent.status === 'canceled' ? 1 : 0);
  assert.equal(count('checkout_session.completed'), session.status === 'completed' ? 1 : 0);
  assert.equal(count('checkout_session.expired'), session.status === 'expired' ? 1 : 0);
  assert.equal(count('refund.created'), refunds.length);
  assert.equal(count('refund.failed'), refunds.filter(({ status }) => status === 'failed').length);
  assert.ok(intent.status !== 'expired' || session.status === 'expired');
  assert.ok(session.status !== 'open' || !['succeeded', 'canceled', 'requires_capture'].includes(intent.status));
  assert.equal(new Set(events.map(({ id }) => id)).size, events.length);
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) deepFreeze(member);
    Object.freeze(value);
  }
  return value;
}

describe('A payment, under any sequence of commands,', () => {
  it('only makes the specified transitions, with one event each', () => {
    const taken = new Set<string>();
    fc.assert(
      fc.property(commands, (sequence) => {
        const world: World = { payment: deepFreeze(aPayment({ terms: { amount } })), refunds: [], events: [], taken };
        for (const [step, command] of sequence.entries()) {
          const before = world.payment.intent;
          apply(world, command, startOfTests + step + 1);
          assertInvariants(world);
          if (['succeeded', 'canceled', 'expired'].includes(before.status)) {
            const { amountRefunded } = world.payment.intent;
            assert.deepEqual(world.payment.intent, { ...before, amountRefunded }, 'a final state is final');
          }
        }
      }),
      { numRuns: 3000 },
    );
    const everyRow = Object.entries(decidedMoves).flatMap(([from, moves]) =>
      Object.keys(moves).map((trigger) => `${from} ${trigger}`),
    );
    assert.deepEqual([...taken].sort(), everyRow.sort(), 'every specified transition was made');
  });
});
