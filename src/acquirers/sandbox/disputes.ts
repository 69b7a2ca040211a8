// What the customer's bank does in the sandbox about payments with the disputed test cards. Nobody can give evidence
// here, so the card decides how the dispute goes on.

import type { Clock } from '../../domain/moment.ts';
import type { Notice, ProviderAccount, ProviderDispute } from '../provider.ts';
import type { SandboxBooks } from './books.ts';
import type { SandboxPayment } from './sandbox-payment.ts';
import { disputeScenario } from './scenarios.ts';

/** From the payment to the dispute, and between the steps of a dispute that ends soon. */
export const disputeStepMs = 3_000;
export const evidenceWithinMs = 7 * 86_400_000;

export interface SandboxDisputes extends Pick<ProviderAccount, 'resolveNotice'> {
  /**
   * Disputes the payments that are due, and sends a notification of each until it was accepted. Resolves to whether more
   * may be due.
   */
  disputeDue(send: (notice: Notice) => Promise<void>): Promise<boolean>;
}

const batch = 100;
/** A notification that was not accepted is sent again after this time. */
export const sendAgainMs = 5_000;

export interface SandboxDisputesDeps {
  readonly books: SandboxBooks;
  readonly clock: Clock;
  /** Applies a rule to a payment; null if there is none. */
  readonly change: (
    reference: string,
    rule: (payment: SandboxPayment) => SandboxPayment,
  ) => Promise<SandboxPayment | null>;
}

export function sandboxDisputes({ books, clock, change }: SandboxDisputesDeps): SandboxDisputes {
  return {
    async disputeDue(send) {
      const due = await books.claim('payments', 'disputing', { now: clock.now(), leaseMs: sendAgainMs, limit: batch });
      for (const { id: reference } of due) {
        const payment = await change(reference, (found) => withDispute(found, clock.now()));
        if (payment === null) continue;
        const { disputeStatus } = payment;
        if (disputeStatus !== null)
          await send({ id: `${reference}:${disputeStatus}`, type: 'payment.disputed', subject: reference });
        await change(reference, (found) => withDisputeAnnounced(found, payment));
      }
      return due.length === batch;
    },
    async resolveNotice({ subject }) {
      const payment = await books.findBy('payments', 'id', subject);
      if (payment === null) return null;
      return { kind: 'payment', reference: subject, operation: subject, refunds: [], disputes: disputesOf(payment) };
    },
  };
}

interface Step {
  readonly status: NonNullable<SandboxPayment['disputeStatus']>;
  /** From the opening of the dispute. */
  readonly afterMs: number;
}

const stepsOf: Readonly<Record<'lost' | 'won', readonly Step[]>> = {
  lost: [
    { status: 'needs_response', afterMs: 0 },
    { status: 'lost', afterMs: evidenceWithinMs },
  ],
  won: [
    { status: 'needs_response', afterMs: 0 },
    { status: 'under_review', afterMs: disputeStepMs },
    { status: 'won', afterMs: 2 * disputeStepMs },
  ],
};

/** The payment was just captured. */
export function withDisputePlanned(payment: SandboxPayment, now: number): SandboxPayment {
  return disputeScenario(payment.cardLast4) === null ? payment : { ...payment, disputeDueAt: now + disputeStepMs };
}

/** What the bank has done by now. Returns the same payment if that is nothing new. */
function withDispute(payment: SandboxPayment, now: number): SandboxPayment {
  const next = nextStep(payment);
  const { disputedAt, amountRefunded, amountCaptured } = payment;
  if (next === null || (disputedAt === null && amountRefunded === amountCaptured)) return payment;
  const openedAt = disputedAt ?? now;
  return now < openedAt + next.afterMs ? payment : { ...payment, disputeStatus: next.status, disputedAt: openedAt };
}

/** We were notified of what the bank has done. */
function withDisputeAnnounced(payment: SandboxPayment, announced: SandboxPayment): SandboxPayment {
  const { disputeStatus, disputedAt } = payment;
  if (disputeStatus !== announced.disputeStatus) return payment;
  const next = disputedAt === null ? null : nextStep(payment);
  return { ...payment, disputeDueAt: next === null || disputedAt === null ? null : disputedAt + next.afterMs };
}

function nextStep({ cardLast4, disputeStatus }: SandboxPayment): Step | null {
  const scenario = disputeScenario(cardLast4);
  if (scenario === null) return null;
  const steps = stepsOf[scenario.ends];
  return steps[steps.findIndex(({ status }) => status === disputeStatus) + 1] ?? null;
}

/** The bank has the money, or may still keep it: as at real acquirers, it cannot be refunded. */
export function isTakenBack({ disputeStatus }: SandboxPayment): boolean {
  return disputeStatus !== null && disputeStatus !== 'won';
}

function disputesOf(payment: SandboxPayment): readonly ProviderDispute[] {
  const { id, amountCaptured, currency, disputeStatus: status, disputedAt } = payment;
  if (status === null || disputedAt === null) return [];
  return [
    {
      reference: id.replace(/^op_/, 'du_'),
      amount: amountCaptured,
      currency,
      reason: disputeScenario(payment.cardLast4)?.reason ?? 'general',
      status,
      evidenceDueBy: disputedAt + evidenceWithinMs,
      isClosed: status === 'lost' || status === 'won',
      createdAt: disputedAt,
    },
  ];
}
