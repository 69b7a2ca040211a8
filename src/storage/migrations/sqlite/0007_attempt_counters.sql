-- Attempts to pay are counted here, one row a session, card or address: see domain/attempt-counts.ts.
CREATE TABLE attempt_counters (
  key TEXT PRIMARY KEY,
  slots TEXT NOT NULL,
  last_declined_at INTEGER NOT NULL,
  erase_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX attempt_counters_by_erase_at ON attempt_counters (erase_at);

-- Hashes of cards were kept beside their last digits for ever. Dropping a column leaves what earlier states of a row had
-- in the free parts of its page, so all rows are taken out and put back: pages that become free are overwritten
-- (secure_delete).
DROP INDEX failed_operations_by_session;
DROP INDEX failed_operations_by_address;
DROP INDEX failed_operations_by_card;
ALTER TABLE operations DROP COLUMN address_hash;
ALTER TABLE operations DROP COLUMN card_hash;
ALTER TABLE operations ADD COLUMN attempt TEXT;
CREATE TABLE operations_meanwhile AS SELECT * FROM operations;
DELETE FROM operations;
INSERT INTO operations SELECT * FROM operations_meanwhile;
DROP TABLE operations_meanwhile;
