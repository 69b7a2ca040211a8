-- Usable by versions that know migration 12.
-- The dashboard: users, the merchants that they work for, their sessions, one-time links and failed sign-ins.
CREATE TABLE users (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  version INTEGER NOT NULL,
  email TEXT COLLATE "C" NOT NULL,
  name TEXT,
  password_hash TEXT,
  epoch INTEGER NOT NULL,
  link_id TEXT COLLATE "C",
  totp_secret BYTEA,
  secret_key_id TEXT,
  totp_confirmed_at BIGINT,
  totp_last_step BIGINT NOT NULL,
  recovery_codes JSON NOT NULL,
  disabled_at BIGINT,
  created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX users_by_email ON users (email);
CREATE TABLE memberships (
  merchant_id TEXT COLLATE "C" NOT NULL,
  user_id TEXT COLLATE "C" NOT NULL,
  version INTEGER NOT NULL,
  role TEXT NOT NULL,
  joined_at BIGINT,
  link_id TEXT COLLATE "C",
  removed_at BIGINT,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, user_id)
);
CREATE INDEX memberships_of_user ON memberships (user_id);
CREATE TABLE dashboard_sessions (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  version INTEGER NOT NULL,
  hash TEXT COLLATE "C" NOT NULL,
  user_id TEXT COLLATE "C" NOT NULL,
  epoch INTEGER NOT NULL,
  last_merchant_id TEXT COLLATE "C" NOT NULL,
  last_livemode BOOLEAN NOT NULL,
  password_at BIGINT NOT NULL,
  ip TEXT NOT NULL,
  user_agent TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX dashboard_sessions_by_hash ON dashboard_sessions (hash);
CREATE INDEX dashboard_sessions_of_user ON dashboard_sessions (user_id, id);
CREATE INDEX dashboard_sessions_by_end ON dashboard_sessions (expires_at);
CREATE TABLE one_time_links (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  version INTEGER NOT NULL,
  hash TEXT COLLATE "C" NOT NULL,
  purpose TEXT NOT NULL,
  user_id TEXT COLLATE "C",
  merchant_id TEXT COLLATE "C",
  used_at BIGINT,
  expires_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX one_time_links_by_hash ON one_time_links (hash);
CREATE INDEX one_time_links_by_end ON one_time_links (expires_at);
CREATE TABLE sign_in_counters (
  key TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  version INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  last_at BIGINT NOT NULL,
  erase_at BIGINT NOT NULL
);
CREATE INDEX sign_in_counters_by_end ON sign_in_counters (erase_at);
-- Whether everybody who works for the merchant needs a second factor.
ALTER TABLE merchants ADD COLUMN requires_second_factor BOOLEAN NOT NULL DEFAULT false;
-- Of a user of the dashboard: their address at that time, and where the request came from.
ALTER TABLE audit_entries ADD COLUMN email TEXT;
ALTER TABLE audit_entries ADD COLUMN ip TEXT;
CREATE INDEX audit_entries_by_action ON audit_entries (merchant_id, action, id);
CREATE INDEX audit_entries_by_actor ON audit_entries (merchant_id, actor, id);
