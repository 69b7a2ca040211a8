-- Payment intents, sessions and idempotency records are found by a number that follows from their id or key: see
-- storage/sqlite/places.ts. Sessions need no tree by id alone any more.
CREATE TABLE new_payment_intents (
  place INTEGER PRIMARY KEY,
  merchant_id TEXT NOT NULL,
  livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('requires_payment_method', 'requires_action', 'processing', 'requires_capture', 'succeeded', 'canceled', 'expired')),
  amount INTEGER NOT NULL CHECK (amount BETWEEN 1 AND 999999999999),
  currency TEXT NOT NULL,
  metadata TEXT NOT NULL,
  capture_method TEXT NOT NULL CHECK (capture_method IN ('automatic', 'manual')),
  amount_captured INTEGER NOT NULL CHECK (amount_captured BETWEEN 0 AND amount),
  amount_refunded INTEGER NOT NULL CHECK (amount_refunded BETWEEN 0 AND amount_captured),
  checkout_session_id TEXT NOT NULL,
  payment_method TEXT,
  last_payment_error TEXT,
  canceled_at INTEGER,
  cancellation_reason TEXT,
  created_at INTEGER NOT NULL,
  operation_id TEXT,
  pending_operation_id TEXT,
  capture_before INTEGER,
  -- Until when a process has taken on letting it lapse; not part of the record.
  lapse_claimed_until INTEGER NOT NULL DEFAULT 0,
  UNIQUE (merchant_id, livemode, id)
) STRICT;
INSERT INTO new_payment_intents SELECT
  place_of_id(id) + min(row_number() OVER (PARTITION BY place_of_id(id) ORDER BY id) - 1, 63),
  merchant_id, livemode, id, version, status, amount, currency, metadata, capture_method, amount_captured,
  amount_refunded, checkout_session_id, payment_method, last_payment_error, canceled_at, cancellation_reason,
  created_at, operation_id, pending_operation_id, capture_before, lapse_claimed_until
FROM payment_intents;
DROP TABLE payment_intents;
ALTER TABLE new_payment_intents RENAME TO payment_intents;
CREATE INDEX payment_intents_by_status ON payment_intents (merchant_id, livemode, status, id);
CREATE INDEX payment_intents_by_capture_before ON payment_intents (capture_before) WHERE capture_before IS NOT NULL;

CREATE TABLE new_checkout_sessions (
  place INTEGER PRIMARY KEY,
  merchant_id TEXT NOT NULL,
  livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'completed', 'expired')),
  amount INTEGER NOT NULL CHECK (amount BETWEEN 1 AND 999999999999),
  currency TEXT NOT NULL,
  metadata TEXT NOT NULL,
  payment_intent_id TEXT NOT NULL,
  return_url TEXT,
  cancel_url TEXT,
  capture_method TEXT NOT NULL CHECK (capture_method IN ('automatic', 'manual')),
  payment_method_types TEXT NOT NULL,
  description TEXT,
  customer_email TEXT,
  locale TEXT NOT NULL,
  line_items TEXT,
  expires_at INTEGER NOT NULL,
  completed_at INTEGER,
  created_at INTEGER NOT NULL,
  -- Until when a process has taken on expiring it; not part of the record.
  expiry_claimed_until INTEGER NOT NULL DEFAULT 0,
  UNIQUE (merchant_id, livemode, id)
) STRICT;
INSERT INTO new_checkout_sessions SELECT
  place_of_id(id) + min(row_number() OVER (PARTITION BY place_of_id(id) ORDER BY id) - 1, 63),
  merchant_id, livemode, id, version, status, amount, currency, metadata, payment_intent_id, return_url, cancel_url,
  capture_method, payment_method_types, description, customer_email, locale, line_items, expires_at, completed_at,
  created_at, expiry_claimed_until
FROM checkout_sessions;
DROP TABLE checkout_sessions;
ALTER TABLE new_checkout_sessions RENAME TO checkout_sessions;
CREATE INDEX checkout_sessions_by_status ON checkout_sessions (merchant_id, livemode, status, id);
CREATE INDEX checkout_sessions_open_by_expiry ON checkout_sessions (expires_at) WHERE status = 'open';

CREATE TABLE new_idempotency_records (
  place INTEGER NOT NULL,
  merchant_id TEXT NOT NULL,
  livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  status INTEGER NOT NULL,
  sealed_body BLOB NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
INSERT INTO new_idempotency_records SELECT
  place_of_key(merchant_id, livemode, key), merchant_id, livemode, key, fingerprint, status, sealed_body, created_at
FROM idempotency_records ORDER BY created_at;
DROP TABLE idempotency_records;
ALTER TABLE new_idempotency_records RENAME TO idempotency_records;
CREATE UNIQUE INDEX idempotency_records_by_place ON idempotency_records (place);
CREATE INDEX idempotency_records_by_age ON idempotency_records (created_at);
