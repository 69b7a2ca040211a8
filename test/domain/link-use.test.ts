// How a payment counts at its link, for every change of its status.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { changesLink, countUse, usesLeft } from '../../src/domain/link-use.ts';
import {
  type PaymentIntent,
  type PaymentIntentStatus,
  paymentIntentStatuses,
} from '../../src/domain/payment-intent.ts';
import { type PaymentLink, statusAt } from '../../src/domain/payment-link.ts';
import { aPayment, aPaymentLink } from '../support/records.ts';

const started = (link: PaymentLink): PaymentIntent => ({
  ...aPayment().intent,
  version: 1,
  paymentLinkId: link.id,
});

/** The link and the payment after the payment moved to a status, or null if it was refused. */
function moved(link: PaymentLink, intent: PaymentIntent, status: PaymentIntentStatus) {
  const next = { ...intent, status };
  if (!changesLink(next)) return { link, intent: next };
  const counted = countUse(link, next, { mayRefuse: intent.status === 'requires_payment_method' });
  return counted === 'used_up' ? null : counted;
}

describe('A payment of a link', () => {
  it('counts as started once, when it is created', () => {
    const link = aPaymentLink();
    const intent = { ...started(link), version: 0 };
    assert.equal(changesLink(intent), true);
    const counted = countUse(link, intent, { mayRefuse: false });
    assert.ok(counted !== 'used_up');
    assert.deepEqual([counted.link.timesUsed, counted.link.timesReserved, counted.intent.linkUse], [1, 0, null]);
  });

  it('without a link never counts', () => {
    for (const status of paymentIntentStatuses) assert.equal(changesLink({ ...aPayment().intent, status }), false);
  });

  it('counts as what its status says', () => {
    const expected: Readonly<Record<PaymentIntentStatus, readonly [reserved: number, completed: number]>> = {
      requires_payment_method: [0, 0],
      requires_action: [1, 0],
      processing: [1, 0],
      requires_capture: [0, 1],
      succeeded: [0, 1],
      canceled: [0, 0],
      expired: [0, 0],
    };
    for (const from of paymentIntentStatuses) {
      for (const to of paymentIntentStatuses) {
        const link = aPaymentLink({ maxUses: 3 });
        const before = moved(link, started(link), from);
        const after = before && moved(before.link, before.intent, to);
        assert.deepEqual([after?.link.timesReserved, after?.link.timesCompleted], expected[to], `${from} → ${to}`);
      }
    }
  });

  it('is refused only when it starts, and only if no use is left', () => {
    const link = aPaymentLink({ maxUses: 1, timesReserved: 1 });
    assert.equal(moved(link, started(link), 'processing'), null);
    const late = countUse(link, { ...started(link), status: 'processing' }, { mayRefuse: false });
    assert.ok(late !== 'used_up', 'what has been sent to the acquirer is counted, whatever the limit');
    assert.equal(late.link.timesReserved, 2);
  });

  it('makes the link completed, and active again when it is canceled', () => {
    const link = aPaymentLink({ maxUses: 1 });
    const paid = moved(link, started(link), 'requires_capture');
    assert.equal(paid?.link.status, 'completed');
    assert.equal(paid && moved(paid.link, paid.intent, 'canceled')?.link.status, 'active');
  });

  it('keeps the counts of its link equal to the payments, in any order of any changes', () => {
    const change = fc.record({ at: fc.nat(7), status: fc.constantFrom(...paymentIntentStatuses) });
    fc.assert(
      fc.property(
        fc.option(fc.integer({ min: 1, max: 4 })),
        fc.array(change, { maxLength: 40 }),
        (maxUses, changes) => {
          let link = aPaymentLink({ maxUses });
          const intents = Array.from({ length: 8 }, () => started(link));
          for (const { at, status } of changes) {
            const intent = intents[at];
            const after = intent && moved(link, intent, status);
            if (after == null) continue;
            link = after.link;
            intents[at] = after.intent;
          }
          const count = (use: string): number => intents.filter(({ linkUse }) => linkUse === use).length;
          assert.deepEqual([link.timesReserved, link.timesCompleted], [count('reserved'), count('completed')]);
          assert.equal(link.status, statusAt(link, 0));
          if (maxUses === null) assert.equal(usesLeft(link), Number.POSITIVE_INFINITY);
        },
      ),
    );
  });
});
