-- Usable by versions that know migration 12.
-- Refunded payments are few: for all others, this index costs nothing.
CREATE INDEX payment_intents_refunded ON payment_intents (merchant_id, livemode, id) WHERE amount_refunded > 0;
CREATE TABLE payment_totals (
  merchant_id TEXT COLLATE "C" NOT NULL,
  livemode BOOLEAN NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  version INTEGER NOT NULL,
  by_currency JSON NOT NULL,
  failed BIGINT NOT NULL,
  declines JSON NOT NULL,
  PRIMARY KEY (merchant_id, livemode, id)
);
CREATE TABLE roll_ups (
  merchant_id TEXT COLLATE "C" NOT NULL,
  livemode BOOLEAN NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  version INTEGER NOT NULL,
  position BIGINT NOT NULL,
  payment_intent_id TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (merchant_id, livemode, id)
);
-- The words that payments are found by, as numbers: see storage/search-index.ts. In each period, new rows only touch its
-- own small part of the tree.
CREATE TABLE payment_words (
  merchant_id TEXT COLLATE "C" NOT NULL,
  livemode BOOLEAN NOT NULL,
  period INTEGER NOT NULL,
  word BIGINT NOT NULL,
  payment_intent_id TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (merchant_id, livemode, period, word, payment_intent_id)
);
