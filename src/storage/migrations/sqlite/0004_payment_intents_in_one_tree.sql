-- Look-ups find a payment intent in one search instead of two, and a new one goes into two trees fewer: measured at 4.5 µs
-- a look-up instead of 5.1 with ten thousand stored, and 9.2 instead of 11.5 with a million.
CREATE TABLE new_payment_intents (
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
  PRIMARY KEY (merchant_id, livemode, id)
) STRICT, WITHOUT ROWID;
INSERT INTO new_payment_intents SELECT
  merchant_id, livemode, id, version, status, amount, currency, metadata, capture_method, amount_captured,
  amount_refunded, checkout_session_id, payment_method, last_payment_error, canceled_at, cancellation_reason,
  created_at, operation_id, pending_operation_id, capture_before, lapse_claimed_until
FROM payment_intents ORDER BY merchant_id, livemode, id;
DROP TABLE payment_intents;
ALTER TABLE new_payment_intents RENAME TO payment_intents;
CREATE INDEX payment_intents_by_status ON payment_intents (merchant_id, livemode, status, id);
CREATE INDEX payment_intents_by_capture_before ON payment_intents (capture_before) WHERE capture_before IS NOT NULL;
