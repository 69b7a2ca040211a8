-- Usable by versions that know migration 12.
-- API requests of the last days, for developers; bodies are masked.
CREATE TABLE request_records (
  merchant_id TEXT COLLATE "C" NOT NULL,
  livemode BOOLEAN NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  status INTEGER NOT NULL,
  duration BIGINT NOT NULL,
  key_id TEXT NOT NULL,
  unrecorded BIGINT,
  created_at BIGINT NOT NULL,
  -- Last, because lists do not read them.
  request_body TEXT,
  response_body TEXT,
  request_bytes BIGINT NOT NULL,
  response_bytes BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, livemode, id)
);
CREATE INDEX request_records_by_age ON request_records (created_at);
