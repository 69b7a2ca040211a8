-- Usable by versions that know migration 12.
-- The dashboard: users, the merchants that they work for, their sessions, one-time links and failed sign-ins.
CREATE TABLE users (
  id TEXT NOT NULL PRIMARY KEY,
  version INTEGER NOT NULL,
  email TEXT NOT NULL,
  name TEXT,
  password_hash TEXT,
  epoch INTEGER NOT NULL,
  link_id TEXT,
  totp_secret BLOB,
  secret_key_id TEXT,
  totp_confirmed_at INTEGER,
  totp_last_step INTEGER NOT NULL,
  recovery_codes TEXT NOT NULL,
  disabled_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX users_by_email ON users (email);
CREATE TABLE memberships (
  merchant_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  role TEXT NOT NULL,
  joined_at INTEGER,
  link_id TEXT,
  removed_at INTEGER,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (merchant_id, user_id)
) STRICT;
CREATE INDEX memberships_of_user ON memberships (user_id);
CREATE TABLE dashboard_sessions (
  id TEXT NOT NULL PRIMARY KEY,
  version INTEGER NOT NULL,
  hash TEXT NOT NULL,
  user_id TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  last_merchant_id TEXT NOT NULL,
  last_livemode INTEGER NOT NULL CHECK (last_livemode IN (0, 1)),
  password_at INTEGER NOT NULL,
  ip TEXT NOT NULL,
  user_agent TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX dashboard_sessions_by_hash ON dashboard_sessions (hash);
CREATE INDEX dashboard_sessions_of_user ON dashboard_sessions (user_id, id);
CREATE INDEX dashboard_sessions_by_end ON dashboard_sessions (expires_at);
CREATE TABLE one_time_links (
  id TEXT NOT NULL PRIMARY KEY,
  version INTEGER NOT NULL,
  hash TEXT NOT NULL,
  purpose TEXT NOT NULL,
  user_id TEXT,
  merchant_id TEXT,
  used_at INTEGER,
  expires_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX one_time_links_by_hash ON one_time_links (hash);
CREATE INDEX one_time_links_by_end ON one_time_links (expires_at);
CREATE TABLE sign_in_counters (
  key TEXT NOT NULL PRIMARY KEY,
  version INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  erase_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sign_in_counters_by_end ON sign_in_counters (erase_at);
-- Whether everybody who works for the merchant needs a second factor.
ALTER TABLE merchants ADD COLUMN requires_second_factor INTEGER NOT NULL DEFAULT 0 CHECK (requires_second_factor IN (0, 1));
-- Of a user of the dashboard: their address at that time, and where the request came from.
ALTER TABLE audit_entries ADD COLUMN email TEXT;
ALTER TABLE audit_entries ADD COLUMN ip TEXT;
CREATE INDEX audit_entries_by_action ON audit_entries (merchant_id, action, id);
CREATE INDEX audit_entries_by_actor ON audit_entries (merchant_id, actor, id);
