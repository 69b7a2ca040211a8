// Erases old payments in short steps: see `prunePayments` of the store.

import type { DatabaseSync } from 'node:sqlite';
import { oldPaymentsSql, oldPaymentsValues, wordsOfOld } from '../old-payments.ts';
import type { Store } from '../store.ts';
import { atPlace, placeOfId } from './places.ts';
import { numbered } from './rows.ts';
import type { ShortStep } from './short-steps.ts';

export function sqlitePaymentPruning(database: DatabaseSync, step: ShortStep): Pick<Store, 'prunePayments'> {
  const examine = {
    abandoned: database.prepare(numbered(oldPaymentsSql('abandoned'))),
    completed: database.prepare(numbered(oldPaymentsSql('completed'))),
    late: database.prepare(numbered(oldPaymentsSql('late'))),
  };
  const ofPayment = 'WHERE merchant_id = ? AND livemode = ? AND payment_intent_id = ?';
  const operations = database.prepare(`DELETE FROM operations ${ofPayment}`);
  const refunds = database.prepare(`DELETE FROM refunds ${ofPayment}`);
  const disputes = database.prepare(`DELETE FROM disputes ${ofPayment}`);
  const intent = database.prepare(`DELETE FROM payment_intents WHERE ${atPlace} AND +id = ?2`);
  const session = database.prepare(`DELETE FROM checkout_sessions WHERE ${atPlace} AND +id = ?2`);
  const removeWord = database.prepare(`
    DELETE FROM payment_words
    WHERE merchant_id = ? AND livemode = ? AND period = ? AND word = ? AND payment_intent_id = ?`);
  return {
    async prunePayments(old) {
      const values = oldPaymentsValues(old, (livemode) => (livemode ? 1 : 0));
      const [merchantId, livemode] = values;
      const { erased, next } = await step((limit) => {
        const examined = examine[old.kind].all(...values, limit);
        const erasable = examined.filter((row) => row.erasable === 1);
        let erased = 0;
        for (const row of erasable) {
          const [sessionId, intentId] = [String(row.session_id), String(row.intent_id)];
          operations.run(merchantId, livemode, intentId);
          refunds.run(merchantId, livemode, intentId);
          disputes.run(merchantId, livemode, intentId);
          erased += Number(intent.run(placeOfId(intentId), intentId).changes);
          session.run(placeOfId(sessionId), sessionId);
          for (const { period, word } of wordsOfOld(old.scope, row, (json) => JSON.parse(String(json))))
            removeWord.run(merchantId, livemode, period, word, intentId);
        }
        const last = examined.at(-1);
        const next = last === undefined || examined.length < limit ? null : String(last.place);
        return { examined: examined.length, erased, next };
      }, old.limit);
      return { erased, next };
    },
  };
}
