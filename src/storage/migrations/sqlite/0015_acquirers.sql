-- Usable by versions that know migration 12.
-- Where an operation was made: the account, the provider's id, and what its connector has to remember. Null: the sandbox,
-- and all rows of earlier versions.
ALTER TABLE operations ADD COLUMN acquirer_id TEXT;
ALTER TABLE operations ADD COLUMN acquirer_reference TEXT;
ALTER TABLE operations ADD COLUMN acquirer_state TEXT;
ALTER TABLE operations ADD COLUMN payment_operation_id TEXT;
-- Since when the acquirer has not told about an operation that was sent; null if it has, or was not asked yet.
ALTER TABLE operations ADD COLUMN unknown_since INTEGER;
CREATE INDEX operations_unknown ON operations (unknown_since) WHERE unknown_since IS NOT NULL;
CREATE INDEX operations_by_reference ON operations (merchant_id, livemode, acquirer_reference)
  WHERE acquirer_reference IS NOT NULL;
ALTER TABLE payment_intents ADD COLUMN acquirer TEXT;
-- The enabled accounts, for choosing the one that serves a payment.
ALTER TABLE merchants ADD COLUMN acquirers TEXT NOT NULL DEFAULT '[]';
CREATE TABLE acquirer_accounts (
  merchant_id TEXT NOT NULL,
  livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  provider TEXT NOT NULL,
  name TEXT NOT NULL,
  methods TEXT NOT NULL,
  status TEXT NOT NULL,
  credentials BLOB NOT NULL,
  secret_key_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (merchant_id, livemode, id)
) STRICT;
CREATE INDEX acquirer_accounts_by_id ON acquirer_accounts (id);
CREATE TABLE acquirer_notices (
  merchant_id TEXT NOT NULL,
  livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  account_id TEXT NOT NULL,
  notice_id TEXT NOT NULL,
  type TEXT NOT NULL,
  subject TEXT NOT NULL,
  state TEXT,
  attempts INTEGER NOT NULL,
  due_at INTEGER,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (merchant_id, livemode, id)
) STRICT;
CREATE INDEX acquirer_notices_due ON acquirer_notices (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX acquirer_notices_by_age ON acquirer_notices (created_at);
