// The provider's own books: payments with their captures, refunds and chargebacks, and the rules by which they change.
// Tests read them to compare with ours.

import { methodRules } from './methods.ts';
import { MollieError, notFound } from './mollie-error.ts';
import type { PaymentRequest } from './payment-request.ts';

export type Mode = 'test' | 'live';
export type PaymentStatus = 'open' | 'pending' | 'authorized' | 'paid' | 'canceled' | 'expired' | 'failed';
export type RefundStatus = 'queued' | 'pending' | 'processing' | 'refunded' | 'failed' | 'canceled';
export type CaptureStatus = 'pending' | 'succeeded' | 'failed';
/** What a customer can choose on the checkout page. */
export const choices = ['paid', 'authorized', 'pending', 'failed', 'canceled', 'expired'] as const;
export type Choice = (typeof choices)[number];

export interface Payment extends PaymentRequest {
  readonly id: string;
  readonly mode: Mode;
  readonly createdAt: number;
  readonly expiresAt: number;
  status: PaymentStatus;
  changedAt: number;
  captureBefore: number | null;
  failureReason: string | null;
  readonly captures: Capture[];
  readonly refunds: Refund[];
  readonly chargebacks: Chargeback[];
}

interface Part {
  readonly id: string;
  readonly paymentId: string;
  readonly amount: number;
  readonly createdAt: number;
}
export interface Capture extends Part {
  status: CaptureStatus;
  readonly metadata: unknown;
}
export interface Refund extends Part {
  status: RefundStatus;
  readonly description: string;
  readonly metadata: unknown;
}
export interface Chargeback extends Part {
  readonly reason: { readonly code: string; readonly description: string } | null;
  reversedAt: number | null;
}

export interface Behaviour {
  /** Methods whose open payments can be canceled; hardly any at Mollie. */
  cancelableWhileOpen: readonly string[];
  cancelableWhilePending: readonly string[];
  /** Authorised payments can be canceled, not only released. */
  cancelableWhenAuthorized: boolean;
  /** The status that a new capture gets. */
  newCapture: CaptureStatus;
  newRefund: RefundStatus;
  /** A release is accepted, but carried out only by `finishRelease`. */
  slowRelease: boolean;
  /** Refuses an identical refund of the same payment that follows within this time. */
  duplicateRefundWithinMs: number;
}

const day = 86_400_000;
export const isSpent = (refund: Refund): boolean => refund.status !== 'failed' && refund.status !== 'canceled';
const sum = (parts: readonly Part[]): number => parts.reduce((total, { amount }) => total + amount, 0);

export class Books {
  readonly payments: Payment[] = [];
  readonly behaviour: Behaviour = {
    cancelableWhileOpen: [],
    cancelableWhilePending: [],
    cancelableWhenAuthorized: false,
    newCapture: 'succeeded',
    newRefund: 'pending',
    slowRelease: false,
    duplicateRefundWithinMs: 0,
  };
  readonly #now: () => number;
  readonly #changed: (payment: Payment) => void;
  #lastId = 0;

  /** `changed` is called whenever Mollie would notify. */
  constructor(now: () => number, changed: (payment: Payment) => void) {
    this.#now = now;
    this.#changed = changed;
  }

  create(request: PaymentRequest, mode: Mode): Payment {
    const now = this.#now();
    const expiresAt = now + (methodRules[request.method]?.expiresAfterMs ?? day);
    const payment: Payment = {
      ...request,
      id: this.#newId('tr'),
      mode,
      createdAt: now,
      expiresAt,
      status: 'open',
      changedAt: now,
      captureBefore: null,
      failureReason: null,
      captures: [],
      refunds: [],
      chargebacks: [],
    };
    this.payments.push(payment);
    return payment;
  }

  /** Applies what time alone has changed. */
  expireDue(): void {
    for (const payment of this.payments) {
      if (payment.status === 'open' && this.#now() >= payment.expiresAt) this.#move(payment, 'expired');
      const { captureBefore } = payment;
      if (payment.status === 'authorized' && captureBefore !== null && this.#now() >= captureBefore) {
        this.#move(payment, 'expired');
      }
    }
  }

  find(id: string, mode?: Mode): Payment {
    const found = this.payments.find((payment) => payment.id === id && (mode === undefined || payment.mode === mode));
    if (found === undefined) throw notFound(id);
    return found;
  }

  choose(id: string, choice: Choice, failureReason: string | null = null): Payment {
    const payment = this.find(id);
    const choosable = payment.status === 'open' || (payment.status === 'pending' && choice !== 'pending');
    if (!choosable) throw new MollieError(422, `The payment is ${payment.status}`);
    const holds = payment.captureMode === 'manual' && (choice === 'paid' || choice === 'authorized');
    if (choice === 'failed') payment.failureReason = failureReason;
    if (holds) payment.captureBefore = this.#now() + 7 * day;
    const charged = choice === 'authorized' ? 'paid' : choice;
    this.#move(payment, holds ? 'authorized' : charged);
    return payment;
  }

  isCancelable({ status, method }: Payment): boolean {
    if (status === 'open') return this.behaviour.cancelableWhileOpen.includes(method);
    if (status === 'pending') return this.behaviour.cancelableWhilePending.includes(method);
    return status === 'authorized' && this.behaviour.cancelableWhenAuthorized;
  }

  cancel(payment: Payment): Payment {
    if (!this.isCancelable(payment)) throw new MollieError(422, 'The payment cannot be cancelled');
    this.#move(payment, 'canceled');
    return payment;
  }

  release(payment: Payment): void {
    if (payment.status !== 'authorized') {
      throw new MollieError(
        422,
        'Authorization cannot be released because the payment is not in the authorized state.',
      );
    }
    if (!this.behaviour.slowRelease) this.finishRelease(payment.id);
  }

  finishRelease(id: string): void {
    this.#move(this.find(id), 'canceled');
  }

  /** Mollie takes one capture of a card payment and releases the rest. */
  capture(payment: Payment, amount: number, metadata: unknown): Capture {
    if (payment.status !== 'authorized' || payment.captures.some(({ status }) => status !== 'failed')) {
      throw new MollieError(422, 'The payment is not in a state in which it can be captured');
    }
    if (amount < 1 || amount > payment.amount) {
      throw new MollieError(422, 'The amount is higher than the remaining amount', 'amount');
    }
    const status = this.behaviour.newCapture;
    const base = { id: this.#newId('cpt'), paymentId: payment.id, amount, createdAt: this.#now() };
    const capture: Capture = { ...base, status: 'pending', metadata };
    payment.captures.push(capture);
    if (status !== 'pending') this.settleCapture(capture.id, status);
    return capture;
  }

  settleCapture(id: string, status: Exclude<CaptureStatus, 'pending'>): void {
    const payment = this.payments.find(({ captures }) => captures.some((capture) => capture.id === id));
    const capture = payment?.captures.find((candidate) => candidate.id === id);
    if (payment === undefined || capture?.status !== 'pending') throw new Error(`${id} is not a pending capture`);
    capture.status = status;
    if (status === 'succeeded') this.#move(payment, 'paid');
  }

  captured(payment: Payment): number {
    if (payment.status !== 'paid') return 0;
    if (payment.captureMode === 'automatic') return payment.amount;
    return sum(payment.captures.filter(({ status }) => status === 'succeeded'));
  }

  refunded(payment: Payment): number {
    return sum(payment.refunds.filter(isSpent));
  }

  chargedBack(payment: Payment): number {
    return sum(payment.chargebacks.filter(({ reversedAt }) => reversedAt === null));
  }

  /** Money that the bank has taken back cannot be given back once more. */
  refundable(payment: Payment): number {
    return this.captured(payment) - this.refunded(payment) - this.chargedBack(payment);
  }

  refund(
    payment: Payment,
    { amount, description, metadata }: Pick<Refund, 'amount' | 'description' | 'metadata'>,
  ): Refund {
    if (payment.status !== 'paid') throw new MollieError(422, 'The payment cannot be refunded: it is not paid');
    const { duplicateRefundWithinMs } = this.behaviour;
    const last = payment.refunds.at(-1);
    if (last?.amount === amount && this.#now() - last.createdAt < duplicateRefundWithinMs) {
      throw new MollieError(409, 'A duplicate refund has been detected');
    }
    if (amount < 1 || amount > this.refundable(payment)) {
      throw new MollieError(422, 'The amount is higher than the remaining amount', 'amount');
    }
    const base = { id: this.#newId('re'), paymentId: payment.id, amount, createdAt: this.#now() };
    const refund: Refund = { ...base, status: 'pending', description, metadata };
    payment.refunds.push(refund);
    refund.status = this.behaviour.newRefund;
    return refund;
  }

  /** Mollie notifies when a refund is processed, completed or fails, not while it waits or if it is canceled. */
  settleRefund(id: string, status: RefundStatus): void {
    const payment = this.payments.find(({ refunds }) => refunds.some((refund) => refund.id === id));
    const refund = payment?.refunds.find((candidate) => candidate.id === id);
    if (payment === undefined || refund === undefined) throw new Error(`there is no refund ${id}`);
    refund.status = status;
    if (status === 'processing' || status === 'refunded' || status === 'failed') this.#changed(payment);
  }

  /** What a merchant does in Mollie's dashboard. */
  refundInDashboard(paymentId: string, amount: number): Refund {
    const refund = this.refund(this.find(paymentId), { amount, description: 'Refund', metadata: null });
    this.#changed(this.find(paymentId));
    return refund;
  }

  chargeBack(paymentId: string, amount: number, reason: Chargeback['reason'] = null): Chargeback {
    const payment = this.find(paymentId);
    if (payment.status !== 'paid') throw new Error(`${paymentId} is not paid`);
    const base = { id: this.#newId('chb'), paymentId, amount, createdAt: this.#now() };
    const chargeback: Chargeback = { ...base, reason, reversedAt: null };
    payment.chargebacks.push(chargeback);
    this.#changed(payment);
    return chargeback;
  }

  reverseChargeback(id: string): void {
    const payment = this.payments.find(({ chargebacks }) => chargebacks.some((chargeback) => chargeback.id === id));
    const chargeback = payment?.chargebacks.find((candidate) => candidate.id === id);
    if (payment === undefined || chargeback === undefined) throw new Error(`there is no chargeback ${id}`);
    chargeback.reversedAt = this.#now();
    this.#changed(payment);
  }

  /** Per currency, in minor units. */
  sums(): Readonly<Record<string, { captured: number; refunded: number; chargedBack: number }>> {
    const sums: Record<string, { captured: number; refunded: number; chargedBack: number }> = {};
    for (const payment of this.payments) {
      sums[payment.currency] ??= { captured: 0, refunded: 0, chargedBack: 0 };
      const of = sums[payment.currency];
      if (of === undefined) continue;
      of.captured += this.captured(payment);
      of.refunded += this.refunded(payment);
      of.chargedBack += this.chargedBack(payment);
    }
    return sums;
  }

  #move(payment: Payment, status: PaymentStatus): void {
    payment.status = status;
    payment.changedAt = this.#now();
    this.#changed(payment);
  }

  #newId(prefix: string): string {
    this.#lastId += 1;
    return `${prefix}_sim${String(this.#lastId).padStart(7, '0')}`;
  }
}
