// The parts of Stripe's objects that we use. An object that makes no sense is an unknown outcome, never a success.

import { AcquirerSilent, type DescribedCard } from '../acquirer.ts';
import { customerUrl } from '../customer-url.ts';
import { fromStripe } from './amounts.ts';
import { idIn, integerIn, type Json, objectIn, textIn } from './json.ts';

export interface StripePayment {
  readonly id: string;
  readonly status: string;
  /** In our units, like all amounts here. */
  readonly amount: number;
  readonly amountReceived: number;
  readonly currency: string;
  /** Our operation that it was made for; null if it was not made by us. */
  readonly operation: string | null;
  readonly actionUrl: string | null;
  readonly lastError: { readonly code: string | null; readonly declineCode: string | null } | null;
  readonly captureBefore: number | null;
  readonly card: DescribedCard | null;
}

export interface StripeRefund {
  readonly id: string;
  readonly status: string;
  readonly amount: number;
  readonly operation: string | null;
  readonly payment: string | null;
  readonly failureReason: string | null;
}

/** The name under which our ids are stored in Stripe's metadata. */
export const operationKey = 'paydesk_operation';

export function nonsense(what: string): AcquirerSilent {
  return new AcquirerSilent(`Stripe's response makes no sense: ${what}.`);
}

export function readPayment(json: Json): StripePayment {
  const { id, status, currency, amount } = readMoney(json, 'payment_intent', 'pi_');
  const received = fromStripe(currency, integerIn(json, 'amount_received') ?? 0);
  if (received === null) throw nonsense('the amount received');
  const error = objectIn(json, 'last_payment_error');
  const charge = objectIn(json, 'latest_charge');
  const details = charge === null ? null : objectIn(charge, 'payment_method_details');
  const chargedCard = details === null ? null : objectIn(details, 'card');
  const captureBefore = chargedCard === null ? null : integerIn(chargedCard, 'capture_before');
  const method = objectIn(json, 'payment_method');
  return {
    id,
    status,
    amount,
    amountReceived: received.amount,
    currency,
    operation: readOperation(json),
    actionUrl: readActionUrl(json),
    lastError: error === null ? null : { code: textIn(error, 'code'), declineCode: textIn(error, 'decline_code') },
    captureBefore: captureBefore === null ? null : captureBefore * 1_000,
    card: method === null ? null : readCard(method),
  };
}

export function readRefund(json: Json): StripeRefund {
  const { id, status, amount } = readMoney(json, 'refund', '');
  const failureReason = textIn(json, 'failure_reason');
  return { id, status, amount, operation: readOperation(json), payment: idIn(json, 'payment_intent'), failureReason };
}

/** What every object with an amount has. `prefix`: of its id. */
export function readMoney(
  json: Json,
  object: string,
  prefix: string,
): { id: string; status: string; amount: number; currency: string } {
  const [id, status, currency] = [textIn(json, 'id'), textIn(json, 'status'), textIn(json, 'currency')];
  const units = integerIn(json, 'amount');
  if (json.object !== object || id === null || !id.startsWith(prefix)) throw nonsense(`no ${object}`);
  if (status === null || currency === null || units === null) throw nonsense(`an incomplete ${object}`);
  const money = fromStripe(currency, units);
  if (money === null) throw nonsense(`the amount of a ${object}`);
  return { id, status, ...money };
}

function readOperation(json: Json): string | null {
  const metadata = objectIn(json, 'metadata');
  return metadata === null ? null : textIn(metadata, operationKey);
}

function readActionUrl(json: Json): string | null {
  const action = objectIn(json, 'next_action');
  const redirect = action === null ? null : objectIn(action, 'redirect_to_url');
  return redirect === null ? null : customerUrl(textIn(redirect, 'url'));
}

/** Of a PaymentMethod, or of the preview in a ConfirmationToken. */
export function readCard(method: Json): DescribedCard | null {
  const card = objectIn(method, 'card');
  if (card === null) return null;
  const [brand, last4] = [textIn(card, 'brand'), textIn(card, 'last4')];
  const [expMonth, expYear] = [integerIn(card, 'exp_month'), integerIn(card, 'exp_year')];
  if (brand === null || last4 === null || !/^\d{4}$/.test(last4) || expMonth === null || expYear === null) return null;
  return { brand, last4, expMonth, expYear };
}
