// The index of words: see `payments` of the store. One period at a time is searched, from the newest on, so that a word that
// many payments have costs no more than one that few have.

import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTick } from 'node:timers/promises';
import { periodOf } from '../../domain/payment-word.ts';
import { afterAllIds, oldestPayments } from '../payment-words.ts';
import type { PaymentLists } from '../store.ts';
import type { GroupCommit } from './group-commit.ts';
import { orUnavailable } from './result-codes.ts';
import { numbered } from './rows.ts';

/** Periods searched before other work may run: each takes about 10 µs. */
const periodsAtOnce = 200;

export function sqlitePaymentWords(
  database: DatabaseSync,
  group: GroupCommit,
): Pick<PaymentLists, 'byWords' | 'oldest' | 'eraseWords'> {
  const oldest = database.prepare(numbered(oldestPayments));
  const latestPeriod = database.prepare(`
    SELECT period FROM payment_words WHERE merchant_id = ? AND livemode = ? AND period <= ?
    ORDER BY period DESC LIMIT 1`);
  const inPeriod = database.prepare(`
    SELECT payment_intent_id AS id FROM payment_words
    WHERE merchant_id = ? AND livemode = ? AND period = ? AND word = ? AND payment_intent_id < ?
    ORDER BY payment_intent_id DESC LIMIT 0 + ?`);
  const erase = database.prepare(`
    DELETE FROM payment_words
    WHERE merchant_id = ? AND livemode = ? AND period = ? AND word = ? AND payment_intent_id = ?`);
  return {
    async byWords({ merchantId, livemode }, words, before, limit) {
      const scope = [merchantId, livemode ? 1 : 0] as const;
      const found: string[] = [];
      let period = before === undefined ? Number.MAX_SAFE_INTEGER : periodOf(before);
      for (let searched = 1; found.length < limit; searched++) {
        const latest = orUnavailable(() => latestPeriod.get(...scope, period))?.period;
        if (latest === undefined) break;
        const ids = words.flatMap((word) =>
          orUnavailable(() => inPeriod.all(...scope, Number(latest), word, before ?? afterAllIds, limit)),
        );
        found.push(...[...new Set(ids.map(({ id }) => String(id)))].sort().reverse());
        period = Number(latest) - 1;
        if (searched % periodsAtOnce === 0) await nextTick();
      }
      return found.slice(0, limit);
    },
    async oldest({ merchantId, livemode }, after, before, limit) {
      const rows = orUnavailable(() => oldest.all(merchantId, livemode ? 1 : 0, after, before, limit));
      return rows.map(({ id }) => String(id));
    },
    async eraseWords(words) {
      await group.join(() => {
        for (const { merchantId, livemode, period, word, paymentIntentId } of words)
          erase.run(merchantId, livemode ? 1 : 0, period, word, paymentIntentId);
      });
    },
  };
}
