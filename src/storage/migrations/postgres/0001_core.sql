CREATE TABLE merchants (
  id TEXT COLLATE "C" PRIMARY KEY,
  version INTEGER NOT NULL,
  name TEXT NOT NULL,
  currencies JSON NOT NULL,
  payment_method_types JSON NOT NULL,
  created_at BIGINT NOT NULL
);

CREATE TABLE api_keys (
  merchant_id TEXT COLLATE "C" NOT NULL,
  livemode BOOLEAN NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  version INTEGER NOT NULL,
  name TEXT,
  hash TEXT NOT NULL UNIQUE,
  last_four TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT,
  revoked_at BIGINT,
  PRIMARY KEY (merchant_id, id)
);
CREATE UNIQUE INDEX api_keys_by_id ON api_keys (id);

CREATE TABLE payment_intents (
  merchant_id TEXT COLLATE "C" NOT NULL,
  livemode BOOLEAN NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  version INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('requires_payment_method', 'requires_action', 'processing', 'requires_capture', 'succeeded', 'canceled', 'expired')),
  amount BIGINT NOT NULL CHECK (amount BETWEEN 1 AND 999999999999),
  currency TEXT NOT NULL,
  metadata JSON NOT NULL,
  capture_method TEXT NOT NULL CHECK (capture_method IN ('automatic', 'manual')),
  amount_captured BIGINT NOT NULL CHECK (amount_captured BETWEEN 0 AND amount),
  amount_refunded BIGINT NOT NULL CHECK (amount_refunded BETWEEN 0 AND amount_captured),
  checkout_session_id TEXT COLLATE "C" NOT NULL,
  payment_method JSON,
  last_payment_error JSON,
  canceled_at BIGINT,
  cancellation_reason TEXT,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, livemode, id)
);
CREATE INDEX payment_intents_by_status ON payment_intents (merchant_id, livemode, status, id);

CREATE TABLE checkout_sessions (
  merchant_id TEXT COLLATE "C" NOT NULL,
  livemode BOOLEAN NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  version INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'completed', 'expired')),
  amount BIGINT NOT NULL CHECK (amount BETWEEN 1 AND 999999999999),
  currency TEXT NOT NULL,
  metadata JSON NOT NULL,
  payment_intent_id TEXT COLLATE "C" NOT NULL,
  return_url TEXT,
  cancel_url TEXT,
  capture_method TEXT NOT NULL CHECK (capture_method IN ('automatic', 'manual')),
  payment_method_types JSON NOT NULL,
  description TEXT,
  customer_email TEXT,
  locale TEXT NOT NULL,
  line_items JSON,
  expires_at BIGINT NOT NULL,
  completed_at BIGINT,
  created_at BIGINT NOT NULL,
  -- Until when a process has taken on expiring it; not part of the record.
  expiry_claimed_until BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (merchant_id, livemode, id)
);
CREATE INDEX checkout_sessions_by_status ON checkout_sessions (merchant_id, livemode, status, id);
CREATE INDEX checkout_sessions_open_by_expiry ON checkout_sessions (expires_at) WHERE status = 'open';

CREATE TABLE events (
  merchant_id TEXT COLLATE "C" NOT NULL,
  livemode BOOLEAN NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  type TEXT NOT NULL,
  data JSON NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, livemode, id)
);

CREATE TABLE idempotency_records (
  merchant_id TEXT COLLATE "C" NOT NULL,
  livemode BOOLEAN NOT NULL,
  key TEXT COLLATE "C" NOT NULL,
  fingerprint TEXT NOT NULL,
  status INTEGER NOT NULL,
  sealed_body BYTEA NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, livemode, key)
);
CREATE INDEX idempotency_records_by_age ON idempotency_records (created_at);

CREATE TABLE facts (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
);
