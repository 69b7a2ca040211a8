ALTER TABLE merchants ADD COLUMN logo_url TEXT;
ALTER TABLE merchants ADD COLUMN accent_color TEXT;

ALTER TABLE payment_intents ADD COLUMN operation_id TEXT COLLATE "C";
ALTER TABLE payment_intents ADD COLUMN pending_operation_id TEXT COLLATE "C";
ALTER TABLE payment_intents ADD COLUMN capture_before BIGINT;
-- Until when a process has taken on letting it lapse; not part of the record.
ALTER TABLE payment_intents ADD COLUMN lapse_claimed_until BIGINT NOT NULL DEFAULT 0;
CREATE INDEX payment_intents_by_capture_before ON payment_intents (capture_before) WHERE capture_before IS NOT NULL;

-- The hosted page knows a session by its id alone.
CREATE UNIQUE INDEX checkout_sessions_by_id ON checkout_sessions (id);

CREATE TABLE operations (
  merchant_id TEXT COLLATE "C" NOT NULL,
  livemode BOOLEAN NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  version INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('payment', 'capture', 'void', 'refund')),
  status TEXT NOT NULL CHECK (status IN ('action_needed', 'pending', 'succeeded', 'failed')),
  payment_intent_id TEXT COLLATE "C" NOT NULL,
  checkout_session_id TEXT COLLATE "C" NOT NULL,
  amount BIGINT NOT NULL CHECK (amount BETWEEN 1 AND 999999999999),
  payment_method JSON,
  action_url TEXT,
  refund_id TEXT,
  reason TEXT,
  address_hash TEXT,
  card_hash TEXT,
  due_at BIGINT,
  inquiries INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, livemode, id)
);
CREATE UNIQUE INDEX operations_by_id ON operations (id);
CREATE INDEX operations_due ON operations (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX failed_operations_by_session ON operations (checkout_session_id, created_at) WHERE status = 'failed';
CREATE INDEX failed_operations_by_address ON operations (address_hash, created_at) WHERE status = 'failed';
CREATE INDEX failed_operations_by_card ON operations (card_hash, created_at) WHERE status = 'failed';

CREATE TABLE refunds (
  merchant_id TEXT COLLATE "C" NOT NULL,
  livemode BOOLEAN NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  version INTEGER NOT NULL,
  payment_intent_id TEXT COLLATE "C" NOT NULL,
  amount BIGINT NOT NULL CHECK (amount BETWEEN 1 AND 999999999999),
  currency TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed')),
  reason TEXT,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, livemode, id)
);
CREATE INDEX refunds_by_payment_intent ON refunds (merchant_id, livemode, payment_intent_id, id);

-- The sandbox acquirer's own: nothing else reads these.
CREATE TABLE sandbox_payments (
  id TEXT COLLATE "C" PRIMARY KEY,
  version INTEGER NOT NULL,
  amount BIGINT NOT NULL,
  currency TEXT NOT NULL,
  capture_method TEXT NOT NULL,
  method TEXT NOT NULL,
  card_last4 TEXT,
  action TEXT NOT NULL,
  action_status TEXT NOT NULL,
  return_url TEXT NOT NULL,
  result TEXT NOT NULL,
  settles_later BOOLEAN NOT NULL,
  silent BOOLEAN NOT NULL,
  status TEXT NOT NULL,
  settle_at BIGINT,
  amount_captured BIGINT NOT NULL,
  amount_refunded BIGINT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX sandbox_payments_settling ON sandbox_payments (settle_at) WHERE settle_at IS NOT NULL;

CREATE TABLE sandbox_follow_ups (
  id TEXT COLLATE "C" PRIMARY KEY,
  payment TEXT NOT NULL,
  kind TEXT NOT NULL,
  amount BIGINT NOT NULL,
  created_at BIGINT NOT NULL
);
