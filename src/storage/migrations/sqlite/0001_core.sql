CREATE TABLE merchants (
  id TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  name TEXT NOT NULL,
  currencies TEXT NOT NULL,
  payment_method_types TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE api_keys (
  merchant_id TEXT NOT NULL,
  livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  name TEXT,
  hash TEXT NOT NULL UNIQUE,
  last_four TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at INTEGER,
  PRIMARY KEY (merchant_id, id)
) STRICT;
CREATE UNIQUE INDEX api_keys_by_id ON api_keys (id);

CREATE TABLE payment_intents (
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
  PRIMARY KEY (merchant_id, livemode, id)
) STRICT;
CREATE INDEX payment_intents_by_status ON payment_intents (merchant_id, livemode, status, id);

CREATE TABLE checkout_sessions (
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
  PRIMARY KEY (merchant_id, livemode, id)
) STRICT;
CREATE INDEX checkout_sessions_by_status ON checkout_sessions (merchant_id, livemode, status, id);
CREATE INDEX checkout_sessions_open_by_expiry ON checkout_sessions (expires_at) WHERE status = 'open';

CREATE TABLE events (
  merchant_id TEXT NOT NULL,
  livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
  id TEXT NOT NULL,
  type TEXT NOT NULL,
  data TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (merchant_id, livemode, id)
) STRICT;

CREATE TABLE idempotency_records (
  merchant_id TEXT NOT NULL,
  livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  status INTEGER NOT NULL,
  sealed_body BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (merchant_id, livemode, key)
) STRICT;
CREATE INDEX idempotency_records_by_age ON idempotency_records (created_at);

CREATE TABLE facts (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;
