-- Usable by versions that know migration 12.
-- When a key that was replaced by another one stops working. Null: it does not end.
ALTER TABLE api_keys ADD COLUMN expires_at BIGINT;
-- When a customer first opened the page of a session. Null: not yet, or not known, as in all rows of earlier versions.
ALTER TABLE checkout_sessions ADD COLUMN opened_at BIGINT;
-- What happened to an operation, and when. Null: not known, as in all rows of earlier versions.
ALTER TABLE operations ADD COLUMN history JSON;
-- The payment that an event is about: itself, its session, a refund or a dispute. Null: none, and in all rows of earlier
-- versions. Not computed from the data, because PostgreSQL cannot read fields beside a text with \u0000.
ALTER TABLE events ADD COLUMN payment_intent_id TEXT COLLATE "C";
CREATE INDEX events_of_payment ON events (merchant_id, livemode, payment_intent_id, id)
  WHERE payment_intent_id IS NOT NULL;
-- The failed deliveries of an endpoint, newest first.
CREATE INDEX deliveries_failed_by_id ON deliveries (endpoint_id, id) WHERE status = 'failed';
-- The operations of a payment, in the order of lists: without the id in it, all operations of the merchant would be read.
DROP INDEX operations_of_payment_intent;
CREATE INDEX operations_of_payment_intent ON operations (merchant_id, livemode, payment_intent_id, id);
