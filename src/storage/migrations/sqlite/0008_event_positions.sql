-- Events get a place in the order of commit, from 1 up for each merchant and mode: what streams read by. Ids sort by the
-- time of the decision, which says nothing about when others can see it.
ALTER TABLE events ADD COLUMN position INTEGER NOT NULL DEFAULT 0;
UPDATE events SET position = numbered.position
FROM (
  SELECT rowid AS event, row_number() OVER (PARTITION BY merchant_id, livemode ORDER BY id) AS position FROM events
) numbered
WHERE events.rowid = numbered.event;
CREATE UNIQUE INDEX events_by_position ON events (merchant_id, livemode, position);
