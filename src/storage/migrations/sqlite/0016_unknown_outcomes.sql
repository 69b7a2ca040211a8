-- Usable by versions that know migration 12.
-- Since when the acquirer has not told about an operation that was sent; null if it has, or was not asked yet.
ALTER TABLE operations ADD COLUMN unknown_since INTEGER;
CREATE INDEX operations_unknown ON operations (unknown_since) WHERE unknown_since IS NOT NULL;
