-- Usable by versions that know migration 12.
-- Receipts and refund notices by e-mail.
ALTER TABLE merchants ADD COLUMN receipts INTEGER NOT NULL DEFAULT 1 CHECK (receipts IN (0, 1));
ALTER TABLE merchants ADD COLUMN reply_to TEXT;
-- The language of the page that the customer paid on. Null: unknown, as in all rows of earlier versions.
ALTER TABLE operations ADD COLUMN locale TEXT;
CREATE TABLE mail_messages (
  merchant_id TEXT NOT NULL,
  livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  kind TEXT NOT NULL,
  payment_intent_id TEXT NOT NULL,
  refund_id TEXT,
  locale TEXT NOT NULL,
  status TEXT NOT NULL,
  attempts TEXT NOT NULL,
  due_at INTEGER,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (merchant_id, livemode, id)
) STRICT;
CREATE INDEX mail_messages_by_id ON mail_messages (id);
CREATE INDEX mail_messages_by_status ON mail_messages (status, id);
CREATE INDEX mail_messages_by_payment ON mail_messages (payment_intent_id);
CREATE INDEX mail_messages_due ON mail_messages (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX mail_messages_by_age ON mail_messages (created_at);
