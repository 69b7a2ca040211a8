-- Usable by versions that know migration 12.
-- API requests of the last days, for developers; bodies are masked.
CREATE TABLE request_records (
  merchant_id TEXT NOT NULL,
  livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
  id TEXT NOT NULL,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  status INTEGER NOT NULL,
  duration INTEGER NOT NULL,
  key_id TEXT NOT NULL,
  unrecorded INTEGER,
  created_at INTEGER NOT NULL,
  -- Last, because lists do not read them.
  request_body TEXT,
  response_body TEXT,
  request_bytes INTEGER NOT NULL,
  response_bytes INTEGER NOT NULL,
  PRIMARY KEY (merchant_id, livemode, id)
) STRICT;
CREATE INDEX request_records_by_age ON request_records (created_at);
