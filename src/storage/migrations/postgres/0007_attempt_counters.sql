-- Attempts to pay are counted here, one row a session, card or address: see domain/attempt-counts.ts. The check is what
-- holds the limits: a commit that would count more is refused whole. Room in each page keeps updates beside their row.
CREATE TABLE attempt_counters (
  key TEXT COLLATE "C" PRIMARY KEY,
  slots JSONB NOT NULL,
  last_declined_at BIGINT NOT NULL,
  erase_at BIGINT NOT NULL,
  counted BIGINT NOT NULL,
  at_most BIGINT NOT NULL,
  CONSTRAINT attempt_counters_within_limit CHECK (counted <= at_most)
) WITH (fillfactor = 50);
CREATE INDEX attempt_counters_by_erase_at ON attempt_counters (erase_at);

-- Hashes of cards were kept beside their last digits for ever. Dropping a column leaves its bytes in the pages, so the
-- table is written anew.
DROP INDEX failed_operations_by_session, failed_operations_by_address, failed_operations_by_card;
ALTER TABLE operations DROP COLUMN address_hash, DROP COLUMN card_hash, ADD COLUMN attempt JSON;
CLUSTER operations USING operations_pkey;
