-- Usable by versions that know migration 12.
CREATE TABLE payment_links (
  merchant_id TEXT COLLATE "C" NOT NULL,
  livemode BOOLEAN NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  version INTEGER NOT NULL,
  status TEXT NOT NULL,
  active BOOLEAN NOT NULL,
  type TEXT NOT NULL,
  amount BIGINT,
  minimum_amount BIGINT,
  maximum_amount BIGINT,
  currency TEXT NOT NULL,
  description TEXT,
  line_items JSON,
  payment_method_types JSON,
  capture_method TEXT NOT NULL,
  redirect_url TEXT,
  max_uses INTEGER,
  times_used INTEGER NOT NULL,
  times_reserved INTEGER NOT NULL CHECK (times_reserved >= 0),
  times_completed INTEGER NOT NULL CHECK (times_completed >= 0),
  metadata JSON NOT NULL,
  expires_at BIGINT,
  created_at BIGINT NOT NULL,
  -- Until when a process has taken on expiring it; not part of the record.
  expiry_claimed_until BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (merchant_id, livemode, id)
);
CREATE INDEX payment_links_by_id ON payment_links (id);
CREATE INDEX payment_links_by_status ON payment_links (merchant_id, livemode, status, id);
CREATE INDEX payment_links_expiring ON payment_links (expires_at) WHERE status = 'active';
-- The link that a payment was started from. Null: none, and in all rows of earlier versions.
ALTER TABLE checkout_sessions ADD COLUMN payment_link_id TEXT COLLATE "C";
CREATE INDEX checkout_sessions_by_payment_link ON checkout_sessions (merchant_id, livemode, payment_link_id, id)
  WHERE payment_link_id IS NOT NULL;
ALTER TABLE payment_intents ADD COLUMN payment_link_id TEXT COLLATE "C";
ALTER TABLE payment_intents ADD COLUMN link_use TEXT;
CREATE INDEX payment_intents_by_payment_link ON payment_intents (merchant_id, livemode, payment_link_id, id)
  WHERE payment_link_id IS NOT NULL;
