-- Usable by versions that know migration 12.
-- Receipts and refund notices by e-mail.
ALTER TABLE merchants ADD COLUMN receipts BOOLEAN NOT NULL DEFAULT true;
ALTER TABLE merchants ADD COLUMN reply_to TEXT;
-- The language of the page that the customer paid on. Null: unknown, as in all rows of earlier versions.
ALTER TABLE operations ADD COLUMN locale TEXT;
CREATE TABLE mail_messages (
  merchant_id TEXT COLLATE "C" NOT NULL,
  livemode BOOLEAN NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  version INTEGER NOT NULL,
  kind TEXT NOT NULL,
  payment_intent_id TEXT NOT NULL,
  refund_id TEXT,
  locale TEXT NOT NULL,
  status TEXT NOT NULL,
  attempts JSON NOT NULL,
  due_at BIGINT,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, livemode, id)
);
CREATE INDEX mail_messages_by_id ON mail_messages (id);
CREATE INDEX mail_messages_by_status ON mail_messages (status, id);
CREATE INDEX mail_messages_by_payment ON mail_messages (payment_intent_id);
CREATE INDEX mail_messages_due ON mail_messages (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX mail_messages_by_age ON mail_messages (created_at);
