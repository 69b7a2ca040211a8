-- Usable by versions that know migration 12.
-- The operations of a payment are erased with it.
CREATE INDEX operations_of_payment_intent ON operations (merchant_id, livemode, payment_intent_id);
