CREATE TABLE webhook_endpoints (
  merchant_id TEXT COLLATE "C" NOT NULL,
  livemode BOOLEAN NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  version INTEGER NOT NULL,
  url TEXT NOT NULL,
  description TEXT,
  enabled_events JSON NOT NULL,
  disabled_reason TEXT,
  secret BYTEA NOT NULL,
  next_secret BYTEA,
  next_secret_at BIGINT,
  secret_key_id TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  deleted_at BIGINT,
  PRIMARY KEY (merchant_id, livemode, id)
);
CREATE UNIQUE INDEX webhook_endpoints_by_id ON webhook_endpoints (id);

CREATE TABLE deliveries (
  merchant_id TEXT COLLATE "C" NOT NULL,
  livemode BOOLEAN NOT NULL,
  event_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  endpoint_id TEXT COLLATE "C" NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
  attempts JSON NOT NULL,
  due_at BIGINT,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, livemode, event_id, id)
);
-- One queue an endpoint: finding its next ones takes the same time however many wait for others.
CREATE INDEX deliveries_due ON deliveries (endpoint_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_failed ON deliveries (endpoint_id, created_at, id) WHERE status = 'failed';
CREATE INDEX deliveries_by_age ON deliveries (created_at);

CREATE INDEX events_by_type ON events (merchant_id, livemode, type, id);
