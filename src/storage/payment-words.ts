// The SQL with which both engines read the index of words.

/** Values: merchant, mode, the id to start after, the id to end before, the limit. */
export const oldestPayments = `
  SELECT id FROM payment_intents WHERE merchant_id = $1 AND livemode = $2 AND id > $3 AND id < $4
  ORDER BY id LIMIT $5`;

/** Sorts after every id. */
export const afterAllIds = 'pi_~';
