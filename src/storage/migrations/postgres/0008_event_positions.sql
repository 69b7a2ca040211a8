-- Events get a place in the order of commit, from 1 up for each merchant and mode: what streams read by. Ids sort by the
-- time of the decision, which says nothing about when others can see it.
ALTER TABLE events ADD COLUMN position BIGINT;
UPDATE events SET position = numbered.position
FROM (
  SELECT merchant_id, livemode, id, row_number() OVER (PARTITION BY merchant_id, livemode ORDER BY id) AS position
  FROM events
) numbered
WHERE events.merchant_id = numbered.merchant_id AND events.livemode = numbered.livemode AND events.id = numbered.id;
ALTER TABLE events ALTER COLUMN position SET NOT NULL;
CREATE UNIQUE INDEX events_by_position ON events (merchant_id, livemode, position);

-- The last position given. Who takes the next holds this row until the commit, so positions become visible in order.
CREATE TABLE event_positions (
  merchant_id TEXT COLLATE "C" NOT NULL,
  livemode BOOLEAN NOT NULL,
  last BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, livemode)
) WITH (fillfactor = 50);
INSERT INTO event_positions (merchant_id, livemode, last)
SELECT merchant_id, livemode, max(position) FROM events GROUP BY merchant_id, livemode;
