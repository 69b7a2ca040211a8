CREATE TABLE webhook_endpoints (
  merchant_id TEXT NOT NULL,
  livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  url TEXT NOT NULL,
  description TEXT,
  enabled_events TEXT NOT NULL,
  disabled_reason TEXT,
  secret BLOB NOT NULL,
  next_secret BLOB,
  next_secret_at INTEGER,
  secret_key_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  deleted_at INTEGER,
  PRIMARY KEY (merchant_id, livemode, id)
) STRICT;
CREATE UNIQUE INDEX webhook_endpoints_by_id ON webhook_endpoints (id);

CREATE TABLE deliveries (
  merchant_id TEXT NOT NULL,
  livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
  event_id TEXT NOT NULL,
  id TEXT NOT NULL,
  endpoint_id TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
  attempts TEXT NOT NULL,
  due_at INTEGER,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (merchant_id, livemode, event_id, id)
) STRICT;
-- One queue an endpoint: finding its next ones takes the same time however many wait for others.
CREATE INDEX deliveries_due ON deliveries (endpoint_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_failed ON deliveries (endpoint_id, created_at, id) WHERE status = 'failed';
CREATE INDEX deliveries_by_age ON deliveries (created_at);

CREATE INDEX events_by_type ON events (merchant_id, livemode, type, id);
