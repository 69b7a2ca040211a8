// The behaviour of each test card, selected by its number. A number that is not listed is declined: no bank knows it.

import type { DeclineCode } from '../acquirer.ts';

export interface Scenario {
  /** What the customer must do first. */
  readonly action: 'none' | 'challenge' | 'bank';
  /** The result of authorising; `later`: about five seconds afterwards. */
  readonly result: 'approved' | DeclineCode;
  readonly when: 'at_once' | 'later';
  /** The acquirer does not respond to `authorise`, but does to a later inquiry. */
  readonly silent: boolean;
}

const plain: Scenario = { action: 'none', result: 'approved', when: 'at_once', silent: false };
const declined = (result: DeclineCode): Scenario => ({ ...plain, result });

const cards: Readonly<Record<string, Scenario>> = {
  '4242424242424242': plain,
  '5555555555554444': plain,
  '378282246310005': plain,
  '6011111111111117': plain,
  '4000000000000002': declined('generic_decline'),
  // Never counts towards the limits on declines: `uncountedTestCard`.
  '4000000000000341': declined('generic_decline'),
  '4000000000009995': declined('insufficient_funds'),
  '4000000000009987': declined('lost_card'),
  '4000000000009979': declined('stolen_card'),
  '4000000000000069': declined('expired_card'),
  '4000000000000127': declined('incorrect_cvc'),
  '4000000000000119': declined('processing_error'),
  '4000000000003220': { ...plain, action: 'challenge' },
  '4000008400001629': { ...plain, action: 'challenge', result: 'generic_decline' },
  '4000000000003055': plain,
  '4000000000005126': plain,
  '4000000000000259': plain,
  '4000000000002685': plain,
  '4000000000000077': { ...plain, when: 'later' },
  '4000000000000093': { ...plain, silent: true },
  '4000000000000010': { ...plain, silent: true, result: 'generic_decline' },
};

export function cardScenario(number: string): Scenario {
  return cards[number] ?? declined('generic_decline');
}

/**
 * Every refund of a payment with 4000 0000 0000 5126 fails. The card is recognised by its last four digits, the only
 * part of a number that is stored; any other number with these last digits is declined, and has nothing to refund.
 */
export function refundsFail(cardLast4: string | null): boolean {
  return cardLast4 === '5126';
}

export interface DisputeScenario {
  readonly reason: string;
  /** `lost`: when the time for evidence is over. `won`: within seconds. */
  readonly ends: 'lost' | 'won';
}

/** Payments with 4000 0000 0000 0259 and 4000 0000 0000 2685 are disputed. The cards are recognised in the same way. */
export function disputeScenario(cardLast4: string | null): DisputeScenario | null {
  if (cardLast4 === '0259') return { reason: 'fraudulent', ends: 'lost' };
  return cardLast4 === '2685' ? { reason: 'product_not_received', ends: 'won' } : null;
}

/** For local methods, the customer's choice on the test bank's page decides. */
export function bankScenario(settlesLater: boolean): Scenario {
  return { action: 'bank', result: 'approved', when: settlesLater ? 'later' : 'at_once', silent: false };
}
