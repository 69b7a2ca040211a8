-- Usable by versions that know migration 12.
-- Where an operation was made: the account, the provider's id, and what its connector has to remember. Null: the sandbox,
-- and all rows of earlier versions.
ALTER TABLE operations ADD COLUMN acquirer_id TEXT;
ALTER TABLE operations ADD COLUMN acquirer_reference TEXT;
ALTER TABLE operations ADD COLUMN acquirer_state JSON;
ALTER TABLE operations ADD COLUMN payment_operation_id TEXT;
-- Since when the acquirer has not told about an operation that was sent; null if it has, or was not asked yet.
ALTER TABLE operations ADD COLUMN unknown_since BIGINT;
CREATE INDEX operations_unknown ON operations (unknown_since) WHERE unknown_since IS NOT NULL;
CREATE INDEX operations_by_reference ON operations (merchant_id, livemode, acquirer_reference)
  WHERE acquirer_reference IS NOT NULL;
ALTER TABLE payment_intents ADD COLUMN acquirer JSON;
-- The enabled accounts, for choosing the one that serves a payment.
ALTER TABLE merchants ADD COLUMN acquirers JSON NOT NULL DEFAULT '[]';
CREATE TABLE acquirer_accounts (
  merchant_id TEXT COLLATE "C" NOT NULL,
  livemode BOOLEAN NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  version INTEGER NOT NULL,
  provider TEXT NOT NULL,
  name TEXT NOT NULL,
  methods JSON NOT NULL,
  status TEXT NOT NULL,
  credentials BYTEA NOT NULL,
  secret_key_id TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, livemode, id)
);
CREATE INDEX acquirer_accounts_by_id ON acquirer_accounts (id);
CREATE TABLE acquirer_notices (
  merchant_id TEXT COLLATE "C" NOT NULL,
  livemode BOOLEAN NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  version INTEGER NOT NULL,
  account_id TEXT NOT NULL,
  notice_id TEXT NOT NULL,
  type TEXT NOT NULL,
  subject TEXT NOT NULL,
  state JSON,
  attempts INTEGER NOT NULL,
  due_at BIGINT,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, livemode, id)
);
CREATE INDEX acquirer_notices_due ON acquirer_notices (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX acquirer_notices_by_age ON acquirer_notices (created_at);
