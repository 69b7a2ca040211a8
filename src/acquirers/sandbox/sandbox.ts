// The sandbox: an acquirer that moves no money. Card numbers and the test pages decide what happens. It is for test mode
// only: `accounts.ts` sends no live operation to it.

import { evenFractions, pauseBeforeRound } from '../../domain/conflict-pauses.ts';
import type { Clock } from '../../domain/moment.ts';
import { methodSettlesLater } from '../../domain/payment-methods.ts';
import { turns } from '../../domain/turns.ts';
import {
  type Acquirer,
  type AcquirerOperation,
  AcquirerSilent,
  type Answer,
  type BeginRequest,
  type Begun,
  type CardDetails,
  type DeclineCode,
  type FollowUp,
  type MoneyOutcome,
} from '../acquirer.ts';
import { type SandboxBooks, settleAfterMs } from './books.ts';
import { type SandboxDisputes, sandboxDisputes } from './disputes.ts';
import {
  acted,
  authorised,
  begun,
  followUpRules,
  neverBegun,
  type SandboxChoice,
  sameRequest,
  settled,
} from './payment-rules.ts';
import type { SandboxFollowUp, SandboxPayment } from './sandbox-payment.ts';

export interface Sandbox extends Acquirer, SandboxDisputes {
  /** Called at least once when something happens to a payment: a reason to inquire, never the truth itself. */
  onNotification(listener: (reference: string) => void): void;
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

  // What needs no step of the customer is authorised in a moment, by the same process: until then it is only remembered.
  // After a crash in between, the sandbox has never heard of it.
  const justBegun = new Map<string, SandboxPayment>();

  /** Those that were never authorised are forgotten when others need the room. */
  function hasRoom(): boolean {
    if (justBegun.size < maxRemembered) return true;
    const [oldest] = justBegun.values();
    if (oldest === undefined || clock.now() - oldest.createdAt < forgottenAfterMs) return false;
    return justBegun.delete(oldest.id);
  }

  async function firstBegun(payment: SandboxPayment): Promise<SandboxPayment> {
    const remembered = justBegun.get(payment.id);
    if (remembered !== undefined) return remembered;
    if (payment.action === 'none' && hasRoom()) {
      justBegun.set(payment.id, payment);
      return payment;
    }
    const outcome = await books.commit({ payments: [payment] });
    return outcome.committed ? payment : ((await books.findBy('payments', 'id', payment.id)) ?? payment);
  }

  /** Null if it is not remembered, or the books know it already: authorised by a concurrent call, or closed. */
  async function authoriseRemembered(
    id: string,
    rule: (payment: SandboxPayment) => SandboxPayment,
  ): Promise<SandboxPayment | null> {
    const remembered = justBegun.get(id);
    if (remembered === undefined) return null;
    const changed = rule(remembered);
    const outcome = await books.commit({ payments: [changed] });
    justBegun.delete(id);
    return outcome.committed ? changed : null;
  }

  /** Tries again after a conflict with a concurrent change. */
  async function inRounds<T>(reference: string, tryOnce: () => Promise<T | typeof conflict>): Promise<T> {
    for (let round = 0; ; round++) {
      const pauseMs = pauseBeforeRound(round, nextFraction());
      if (pauseMs === null) throw new AcquirerSilent(`too many calls at once are about ${reference}`);
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      const result = await tryOnce();
      if (result !== conflict) return result;
    }
  }

  /** Applies a rule to a payment. Null if there is no payment. */
  function change(
    reference: string,
    rule: (payment: SandboxPayment) => SandboxPayment,
  ): Promise<SandboxPayment | null> {
    return inRounds(reference, async () => {
      const payment = await books.findBy('payments', 'id', reference);
      if (payment === null) return null;
      const changed = rule(payment);
      if (changed === payment) return payment;
      const { committed } = await books.commit({ payments: [changed] });
      return committed ? changed : conflict;
    });
  }

  /** A repeated one changes nothing: the first one stands. */
  function followUp({ id, kind, payment: { id: reference }, amount }: FollowUp): Promise<Answer> {
    const tryOnce = async (): Promise<Answer | typeof conflict> => {
      const [before, payment] = await Promise.all([
        books.findBy('followUps', 'id', id),
        books.findBy('payments', 'id', reference),
      ]);
      if (before !== null) return followUpAnswer(before);
      const changed = payment && followUpRules[kind](payment, amount, clock.now());
      if (changed === null || changed === payment) {
        // What has changed the payment between the two reads may be this very request, sent twice.
        const since = await books.findBy('followUps', 'id', id);
        return since === null ? declined('processing_error') : followUpAnswer(since);
      }
      const record: SandboxFollowUp = { id, payment: reference, kind, amount, createdAt: clock.now() };
      const { committed } = await books.commit({ payments: [changed], followUps: [record] });
      return committed ? followUpAnswer(record) : conflict;
    };
    return inTurn(reference, () => inRounds(reference, tryOnce));
  }

  async function closePayment(operation: AcquirerOperation): Promise<Answer> {
    const close = (found: SandboxPayment): SandboxPayment =>
      found.status === 'begun' ? { ...found, status: 'closed' } : found;
    const payment = await change(operation.id, close);
    if (payment !== null) return answerOf(payment);
    const outcome = await books.commit({ payments: [neverBegun(operation, clock.now())] });
    // On a conflict, the request itself or a concurrent `close` came first.
    const stored = outcome.committed ? null : await change(operation.id, close);
    return stored === null ? notMade : answerOf(stored);
  }

  async function closeFollowUp(id: string): Promise<Answer> {
    const record = await books.findBy('followUps', 'id', id);
    if (record !== null) return followUpAnswer(record);
    const closed: SandboxFollowUp = { id, payment: '', kind: 'closed', amount: 0, createdAt: clock.now() };
    const outcome = await books.commit({ followUps: [closed] });
    // On a conflict, the request itself or a concurrent `close` came first.
    const stored = outcome.committed ? closed : ((await books.findBy('followUps', 'id', id)) ?? closed);
    return followUpAnswer(stored);
  }

  return {
    async begin(request) {
      const card = detailsOf(request);
      if (card === null) return { next: 'declined', decline: { code: 'processing_error' } };
      const payment = begun(request, card, clock.now());
      // A repeated request changes nothing: the first one stands.
      const first = await firstBegun(payment);
      return sameRequest(first, payment) ? nextStep(first, publicUrl) : { next: 'refused' };
    },
    async authorise(operation) {
      const rule = (found: SandboxPayment): SandboxPayment => authorised(found, clock.now());
      const payment = (await authoriseRemembered(operation.id, rule)) ?? (await change(operation.id, rule));
      // Not begun here: another process may still authorise it.
      if (payment === null) return closePayment(operation);
      if (payment.silent) return new Promise<Answer>(() => {});
      return answerOf(payment);
    },
    capture: followUp,
    void: followUp,
    refund: followUp,
    async inquire(operation) {
      const record = isFollowUp(operation) ? await books.findBy('followUps', 'id', operation.id) : null;
      if (record !== null) return followUpAnswer(record);
      const payment = isFollowUp(operation) ? null : await books.findBy('payments', 'id', operation.id);
      if (payment === null) return notYet;
      return payment.status === 'begun' ? actionAnswer(payment, publicUrl) : answerOf(payment);
    },
    async close(operation) {
      return isFollowUp(operation) ? closeFollowUp(operation.id) : closePayment(operation);
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
        await change(reference, (found) => (found.status === 'pending' ? settled(found, clock.now()) : found));
        notify(reference);
      }
      return due.length === batch;
    },
    ...sandboxDisputes({ books, clock, change }),
  };
}

/** Somebody else changed the records first. */
const conflict = Symbol('conflict');

const batch = 100;
const maxRemembered = 10_000;
const forgottenAfterMs = 60_000;
const answer = (outcome: MoneyOutcome): Answer => ({ outcome });
const done = answer({ kind: 'done' });
const notMade = answer({ kind: 'not_made' });
const notYet = answer({ kind: 'pending', customerDone: false });
const declined = (code: DeclineCode): Answer => answer({ kind: 'declined', decline: { code } });

function isFollowUp(operation: AcquirerOperation | FollowUp): operation is FollowUp {
  return 'kind' in operation;
}

/** Undefined: not paid by card. Null: a token, which only the provider that issued it understands. */
function detailsOf({ card }: BeginRequest): CardDetails | undefined | null {
  return card?.kind === 'token' ? null : card;
}

function nextStep(payment: SandboxPayment, publicUrl: string): Begun {
  return payment.action === 'none' ? { next: 'authorise' } : { next: 'action', url: actionUrl(payment, publicUrl) };
}

function actionUrl({ id, action }: SandboxPayment, publicUrl: string): string {
  return `${publicUrl}/sandbox-${action}/${id}`;
}

/** Of a payment that was not authorised yet. */
function actionAnswer(payment: SandboxPayment, publicUrl: string): Answer {
  switch (payment.actionStatus) {
    case 'waiting':
      return answer({ kind: 'action', url: actionUrl(payment, publicUrl) });
    case 'passed':
      return answer({ kind: 'ready' });
    case 'failed':
    case 'canceled':
      return answer({ kind: 'abandoned', reason: payment.actionStatus });
    default:
      return notYet;
  }
}

function followUpAnswer({ kind }: SandboxFollowUp): Answer {
  return kind === 'closed' ? notMade : done;
}

function answerOf(payment: SandboxPayment): Answer {
  switch (payment.status) {
    case 'captured':
      return done;
    case 'authorised':
      return answer({ kind: 'authorised' });
    case 'declined':
      return declined(payment.result as DeclineCode);
    case 'pending':
      return answer({ kind: 'pending', customerDone: methodSettlesLater(payment.method) });
    default:
      return notMade;
  }
}
