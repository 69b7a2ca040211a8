// The sandbox: an acquirer that moves no money. Card numbers and the test pages decide what happens. It is for test
// mode only, and rejects every live request itself, so that no mistake elsewhere can make a live payment with it.

import { committed } from '../../domain/change-set.ts';
import { evenFractions, pauseBeforeRound } from '../../domain/conflict-pauses.ts';
import type { Clock } from '../../domain/moment.ts';
import { methodSettlesLater } from '../../domain/payment-methods.ts';
import { turns } from '../../domain/turns.ts';
import {
  type ActionOutcome,
  type BeginRequest,
  type Begun,
  type DeclineCode,
  type FollowUp,
  type MoneyOutcome,
  type Processor,
  ProcessorSilent,
} from '../processor.ts';
import { type SandboxBooks, settleAfterMs } from './books.ts';
import type { SandboxFollowUp, SandboxPayment } from './sandbox-payment.ts';
import { bankScenario, cardScenario, refundsFail } from './scenarios.ts';

/** The buttons of the test pages. */
export type SandboxChoice = 'pass' | 'fail' | 'fail_later' | 'cancel';

export interface Sandbox extends Processor {
  /** Used by the test pages. */
  payment(reference: string): Promise<SandboxPayment | null>;
  /** Applies the customer's choice on a test page; a second choice changes nothing. */
  act(reference: string, result: SandboxChoice): Promise<SandboxPayment | null>;
  /** Settles the payments that are due and notifies listeners. Resolves to whether more may be due. */
  settleDue(): Promise<boolean>;
}

export interface SandboxDeps {
  readonly books: SandboxBooks;
  readonly clock: Clock;
  /** The base URL of the test pages. */
  readonly publicUrl: string;
}

export function sandbox({ books, clock, publicUrl }: SandboxDeps): Sandbox {
  const listeners: ((reference: string) => void)[] = [];
  const nextFraction = evenFractions();
  const inTurn = turns();
  const notify = (reference: string): void => {
    for (const listener of listeners) listener(reference);
  };

  // What was just begun is usually authorised in a moment: it need not be read again. If it has changed since, the commit
  // conflicts.
  const justBegun = new Map<string, SandboxPayment>();
  function remember(payment: SandboxPayment): void {
    justBegun.set(payment.id, payment);
    const [oldest] = justBegun.keys();
    if (justBegun.size > maxRemembered && oldest !== undefined) justBegun.delete(oldest);
  }

  /** Applies a rule to a payment, and again after a conflict with a concurrent change. Null if there is no payment. */
  async function change(
    reference: string,
    rule: (payment: SandboxPayment) => SandboxPayment,
    followUp?: SandboxFollowUp,
  ): Promise<SandboxPayment | null> {
    for (let round = 0; ; round++) {
      const pauseMs = pauseBeforeRound(round, nextFraction());
      if (pauseMs === null) break;
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      const known = justBegun.get(reference);
      justBegun.delete(reference);
      const applies = known !== undefined && rule(known) !== known;
      const payment = applies ? known : await books.findBy('payments', 'id', reference);
      if (payment === null) return null;
      const changed = rule(payment);
      if (changed === payment) return payment;
      const outcome = await books.commit({ payments: [changed], followUps: followUp === undefined ? [] : [followUp] });
      if (outcome.committed) return changed;
      if (followUp !== undefined && (await books.findBy('followUps', 'id', followUp.id)) !== null) return payment;
    }
    throw new ProcessorSilent(`too many calls at once are about ${reference}`);
  }

  async function followUp(
    kind: 'capture' | 'void' | 'refund',
    { reference, payment, livemode, amount }: FollowUp,
  ): Promise<MoneyOutcome> {
    if (livemode) return declined('processing_error');
    const before = await books.findBy('followUps', 'id', reference);
    if (before !== null) return followUpOutcome(before);
    const record: SandboxFollowUp = { id: reference, payment, kind, amount, createdAt: clock.now() };
    const changed = await inTurn(payment, () => change(payment, (found) => followUpRules[kind](found, amount), record));
    const after = changed === null ? null : await books.findBy('followUps', 'id', reference);
    return after === null ? declined('processing_error') : followUpOutcome(after);
  }

  return {
    async begin(request) {
      if (request.livemode) return { next: 'not_served' };
      const payment = begun(request, clock.now());
      // A repeated reference changes nothing: the first request stands.
      const outcome = await books.commit({ payments: [payment] });
      if (outcome.committed && payment.action === 'none') remember(committed(payment));
      const stored = outcome.committed
        ? payment
        : ((await books.findBy('payments', 'id', request.reference)) ?? payment);
      return sameRequest(stored, payment) ? nextStep(stored, publicUrl) : { next: 'refused' };
    },
    async actionOf(reference, livemode): Promise<ActionOutcome> {
      if (livemode) return 'failed';
      const payment = await books.findBy('payments', 'id', reference);
      if (payment === null || payment.actionStatus === 'none') return 'failed';
      return payment.actionStatus;
    },
    async authorise(reference, livemode) {
      if (livemode) return notMade;
      const payment = await change(reference, (found) => authorised(found, clock.now()));
      if (payment === null) return notMade;
      if (payment.silent) return new Promise<MoneyOutcome>(() => {});
      return outcomeOf(payment);
    },
    capture: (request) => followUp('capture', request),
    void: (request) => followUp('void', request),
    refund: (request) => followUp('refund', request),
    async inquire(reference, livemode) {
      if (livemode) return notMade;
      const record = await books.findBy('followUps', 'id', reference);
      if (record !== null) return followUpOutcome(record);
      const payment = await books.findBy('payments', 'id', reference);
      return payment === null || payment.status === 'begun' ? notYet : outcomeOf(payment);
    },
    async close(reference, livemode) {
      if (livemode) return notMade;
      const record = await books.findBy('followUps', 'id', reference);
      if (record !== null) return followUpOutcome(record);
      const payment = await change(reference, (found) =>
        found.status === 'begun' ? { ...found, status: 'closed' } : found,
      );
      if (payment !== null) return outcomeOf(payment);
      const closed: SandboxFollowUp = { id: reference, payment: '', kind: 'closed', amount: 0, createdAt: clock.now() };
      const outcome = await books.commit({ followUps: [closed] });
      // On a conflict, the request itself or a concurrent `close` came first.
      const stored = outcome.committed ? closed : ((await books.findBy('followUps', 'id', reference)) ?? closed);
      return followUpOutcome(stored);
    },
    onNotification: (listener) => listeners.push(listener),

    payment: (reference) => books.findBy('payments', 'id', reference),
    async act(reference, result) {
      const payment = await change(reference, (found) => acted(found, result));
      if (payment !== null) notify(reference);
      return payment;
    },
    async settleDue() {
      const due = await books.claim('payments', 'settling', { now: clock.now(), leaseMs: settleAfterMs, limit: batch });
      for (const { id: reference } of due) {
        await change(reference, (found) => (found.status === 'pending' ? settled(found) : found));
        notify(reference);
      }
      return due.length === batch;
    },
  };
}

const batch = 100;
const maxRemembered = 1_000;
const done: MoneyOutcome = { outcome: 'done' };
const notMade: MoneyOutcome = { outcome: 'not_made' };
const notYet: MoneyOutcome = { outcome: 'pending', customerDone: false };
const declined = (code: DeclineCode): MoneyOutcome => ({ outcome: 'declined', code });

function begun(
  { reference, amount, currency, captureMethod, method, card, returnUrl, merchant, locale }: BeginRequest,
  now: number,
): SandboxPayment {
  const settlesLater = methodSettlesLater(method);
  const scenario = card === undefined ? bankScenario(settlesLater) : cardScenario(card.number);
  return {
    id: reference,
    version: 0,
    amount,
    currency,
    captureMethod,
    method,
    cardLast4: card === undefined ? null : card.number.slice(-4),
    action: scenario.action,
    actionStatus: scenario.action === 'none' ? 'none' : 'waiting',
    returnUrl,
    merchant: { name: merchant.name, logoUrl: merchant.logoUrl, accentColor: merchant.accentColor },
    locale,
    result: scenario.result,
    settlesLater: scenario.when === 'later',
    silent: scenario.silent,
    status: 'begun',
    settleAt: null,
    amountCaptured: 0,
    amountRefunded: 0,
    createdAt: now,
  };
}

function sameRequest(a: SandboxPayment, b: SandboxPayment): boolean {
  const fields = ['amount', 'currency', 'captureMethod', 'method', 'cardLast4', 'action', 'silent'] as const;
  return fields.every((field) => a[field] === b[field]);
}

function nextStep({ id, action }: SandboxPayment, publicUrl: string): Begun {
  return action === 'none' ? { next: 'authorise' } : { next: 'action', url: `${publicUrl}/sandbox-${action}/${id}` };
}

function acted(payment: SandboxPayment, result: SandboxChoice): SandboxPayment {
  if (payment.actionStatus !== 'waiting' || payment.status !== 'begun') return payment;
  if (result === 'fail') return { ...payment, actionStatus: 'failed' };
  if (result === 'cancel') return { ...payment, actionStatus: 'canceled' };
  const failsLater = result === 'fail_later' && payment.settlesLater;
  return { ...payment, actionStatus: 'passed', result: failsLater ? 'bank_declined' : payment.result };
}

function authorised(payment: SandboxPayment, now: number): SandboxPayment {
  const ready = payment.action === 'none' || payment.actionStatus === 'passed';
  if (payment.status !== 'begun' || !ready) return payment;
  if (payment.settlesLater) return { ...payment, status: 'pending', settleAt: now + settleAfterMs };
  return settled(payment);
}

function settled(payment: SandboxPayment): SandboxPayment {
  if (payment.result !== 'approved') return { ...payment, status: 'declined', settleAt: null };
  if (payment.captureMethod === 'manual') return { ...payment, status: 'authorised', settleAt: null };
  return { ...payment, status: 'captured', settleAt: null, amountCaptured: payment.amount };
}

/** Each returns the payment unchanged if the follow-up is not allowed. */
const followUpRules: Record<
  'capture' | 'void' | 'refund',
  (payment: SandboxPayment, amount: number) => SandboxPayment
> = {
  capture: (payment, amount) =>
    payment.status === 'authorised' && amount <= payment.amount
      ? { ...payment, status: 'captured', amountCaptured: amount }
      : payment,
  void: (payment) => (payment.status === 'authorised' ? { ...payment, status: 'voided' } : payment),
  refund: (payment, amount) =>
    payment.status === 'captured' &&
    !refundsFail(payment.cardLast4) &&
    payment.amountRefunded + amount <= payment.amountCaptured
      ? { ...payment, amountRefunded: payment.amountRefunded + amount }
      : payment,
};

function followUpOutcome({ kind }: SandboxFollowUp): MoneyOutcome {
  return kind === 'closed' ? notMade : done;
}

function outcomeOf(payment: SandboxPayment): MoneyOutcome {
  switch (payment.status) {
    case 'captured':
      return done;
    case 'authorised':
      return { outcome: 'authorised' };
    case 'declined':
      return declined(payment.result as DeclineCode);
    case 'pending':
      return { outcome: 'pending', customerDone: methodSettlesLater(payment.method) };
    default:
      return notMade;
  }
}
