CREATE TABLE audit_entries (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  merchant_id TEXT COLLATE "C",
  details JSON NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX audit_entries_of_merchant ON audit_entries (merchant_id, id);
