CREATE TABLE audit_entries (
  id TEXT NOT NULL PRIMARY KEY,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  merchant_id TEXT,
  details TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX audit_entries_of_merchant ON audit_entries (merchant_id, id);
