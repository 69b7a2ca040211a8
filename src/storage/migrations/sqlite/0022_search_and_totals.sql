-- Usable by versions that know migration 12.
-- Refunded payments are few: for all others, this index costs nothing.
CREATE INDEX payment_intents_refunded ON payment_intents (merchant_id, livemode, id) WHERE amount_refunded > 0;
CREATE TABLE payment_totals (
  merchant_id TEXT NOT NULL,
  livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  by_currency TEXT NOT NULL,
  failed INTEGER NOT NULL,
  declines TEXT NOT NULL,
  PRIMARY KEY (merchant_id, livemode, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE roll_ups (
  merchant_id TEXT NOT NULL,
  livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  position INTEGER NOT NULL,
  payment_intent_id TEXT NOT NULL,
  PRIMARY KEY (merchant_id, livemode, id)
) STRICT, WITHOUT ROWID;
-- The words that payments are found by, as numbers: see storage/search-index.ts. In each period, new rows only touch its
-- own small part of the tree.
CREATE TABLE payment_words (
  merchant_id TEXT NOT NULL,
  livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
  period INTEGER NOT NULL,
  word INTEGER NOT NULL,
  payment_intent_id TEXT NOT NULL,
  PRIMARY KEY (merchant_id, livemode, period, word, payment_intent_id)
) STRICT, WITHOUT ROWID;
