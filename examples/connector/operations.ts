// What Tillbank says about an operation, in the words of the port.

import {
  type AcquirerOperation,
  AcquirerSilent,
  type Answer,
  type DeclineCode,
  type MoneyOutcome,
} from '../../src/acquirers/acquirer.ts';
import type { Json } from './api.ts';

/** Refuses a response about anything else: it would settle the wrong operation. */
export function answerOf(found: Json, { id, amount, currency }: AcquirerOperation): Answer {
  if (found.operation !== id || found.amount !== amount || found.currency !== currency) throw nonsense();
  return { outcome: outcomeOf(found), reference: textIn(found, 'id') };
}

function outcomeOf(found: Json): MoneyOutcome {
  switch (found.status) {
    case 'waiting_for_customer':
      return { kind: 'action', url: textIn(found, 'page') };
    case 'authorised':
      return { kind: 'authorised' };
    case 'done':
      return { kind: 'done' };
    case 'processing':
      return { kind: 'pending', customerDone: true };
    case 'canceled':
      return { kind: 'abandoned', reason: 'canceled' };
    case 'closed':
      return { kind: 'not_made' };
    case 'failed': {
      const providerCode = textIn(found, 'code');
      return { kind: 'declined', decline: { code: declineCodes.get(providerCode) ?? 'generic_decline', providerCode } };
    }
    default:
      throw nonsense();
  }
}

const declineCodes: ReadonlyMap<string, DeclineCode> = new Map([
  ['no_money', 'insufficient_funds'],
  ['bank_said_no', 'bank_declined'],
]);

export function textIn(from: Json, name: string): string {
  const value = from[name];
  if (typeof value !== 'string') throw nonsense();
  return value;
}

export function nonsense(): AcquirerSilent {
  return new AcquirerSilent('Tillbank sent a response that makes no sense.');
}
