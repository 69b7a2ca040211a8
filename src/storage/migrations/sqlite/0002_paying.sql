ALTER TABLE merchants ADD COLUMN logo_url TEXT;
ALTER TABLE merchants ADD COLUMN accent_color TEXT;

ALTER TABLE payment_intents ADD COLUMN operation_id TEXT;
ALTER TABLE payment_intents ADD COLUMN pending_operation_id TEXT;
ALTER TABLE payment_intents ADD COLUMN capture_before INTEGER;
-- Until when a process has taken on letting it lapse; not part of the record.
ALTER TABLE payment_intents ADD COLUMN lapse_claimed_until INTEGER NOT NULL DEFAULT 0;
CREATE INDEX payment_intents_by_capture_before ON payment_intents (capture_before) WHERE capture_before IS NOT NULL;

-- Look-ups go by the id alone and then check the merchant: comparing one short key takes half of what three do.
CREATE UNIQUE INDEX payment_intents_by_id ON payment_intents (id);
-- The hosted page knows a session by its id alone.
CREATE UNIQUE INDEX checkout_sessions_by_id ON checkout_sessions (id);

CREATE TABLE operations (
  merchant_id TEXT NOT NULL,
  livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('payment', 'capture', 'void', 'refund')),
  status TEXT NOT NULL CHECK (status IN ('action_needed', 'pending', 'succeeded', 'failed')),
  payment_intent_id TEXT NOT NULL,
  checkout_session_id TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount BETWEEN 1 AND 999999999999),
  payment_method TEXT,
  action_url TEXT,
  refund_id TEXT,
  reason TEXT,
  address_hash TEXT,
  card_hash TEXT,
  due_at INTEGER,
  inquiries INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (merchant_id, livemode, id)
) STRICT;
CREATE UNIQUE INDEX operations_by_id ON operations (id);
CREATE INDEX operations_due ON operations (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX failed_operations_by_session ON operations (checkout_session_id, created_at) WHERE status = 'failed';
CREATE INDEX failed_operations_by_address ON operations (address_hash, created_at) WHERE status = 'failed';
CREATE INDEX failed_operations_by_card ON operations (card_hash, created_at) WHERE status = 'failed';

CREATE TABLE refunds (
  merchant_id TEXT NOT NULL,
  livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  payment_intent_id TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount BETWEEN 1 AND 999999999999),
  currency TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed')),
  reason TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (merchant_id, livemode, id)
) STRICT;
CREATE INDEX refunds_by_payment_intent ON refunds (merchant_id, livemode, payment_intent_id, id);

-- The sandbox acquirer's own: nothing else reads these.
CREATE TABLE sandbox_payments (
  id TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  currency TEXT NOT NULL,
  capture_method TEXT NOT NULL,
  method TEXT NOT NULL,
  card_last4 TEXT,
  action TEXT NOT NULL,
  action_status TEXT NOT NULL,
  return_url TEXT NOT NULL,
  result TEXT NOT NULL,
  settles_later INTEGER NOT NULL,
  silent INTEGER NOT NULL,
  status TEXT NOT NULL,
  settle_at INTEGER,
  amount_captured INTEGER NOT NULL,
  amount_refunded INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sandbox_payments_settling ON sandbox_payments (settle_at) WHERE settle_at IS NOT NULL;

CREATE TABLE sandbox_follow_ups (
  id TEXT PRIMARY KEY,
  payment TEXT NOT NULL,
  kind TEXT NOT NULL,
  amount INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
