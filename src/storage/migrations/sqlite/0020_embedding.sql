-- Usable by versions that know migration 12.
-- Embedded checkout: the origins that may frame it, and whether a session is embedded.
ALTER TABLE merchants ADD COLUMN embed_origins TEXT NOT NULL DEFAULT '[]';
ALTER TABLE checkout_sessions ADD COLUMN ui_mode TEXT NOT NULL DEFAULT 'hosted';
