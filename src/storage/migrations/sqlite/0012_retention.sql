-- Old events and audit entries are found by their age.
CREATE INDEX events_by_age ON events (created_at);
CREATE INDEX audit_entries_by_age ON audit_entries (created_at);
