-- Usable by versions that know migration 12.
-- The id is derived from the account and the provider's id of the dispute, so the primary key keeps each of them once.
CREATE TABLE disputes (
  merchant_id TEXT COLLATE "C" NOT NULL,
  livemode BOOLEAN NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  version INTEGER NOT NULL,
  payment_intent_id TEXT COLLATE "C" NOT NULL,
  amount BIGINT NOT NULL,
  currency TEXT NOT NULL,
  reason TEXT NOT NULL,
  status TEXT NOT NULL,
  evidence_due_by BIGINT,
  is_closed BOOLEAN NOT NULL,
  acquirer JSON NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, livemode, id)
);
CREATE INDEX disputes_by_payment_intent ON disputes (merchant_id, livemode, payment_intent_id, id);
CREATE INDEX disputes_by_status ON disputes (merchant_id, livemode, status, id);
-- The sandbox's own: what the bank does after the payment, and when. Null: nothing, and in all rows of earlier versions.
ALTER TABLE sandbox_payments ADD COLUMN dispute_status TEXT;
ALTER TABLE sandbox_payments ADD COLUMN disputed_at BIGINT;
ALTER TABLE sandbox_payments ADD COLUMN dispute_due_at BIGINT;
CREATE INDEX sandbox_payments_disputing ON sandbox_payments (dispute_due_at) WHERE dispute_due_at IS NOT NULL;
