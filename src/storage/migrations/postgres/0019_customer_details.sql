-- Usable by versions that know migration 12.
-- What the page asks customers for, and what they entered.
ALTER TABLE checkout_sessions ADD COLUMN collect JSON NOT NULL DEFAULT '[]';
ALTER TABLE checkout_sessions ADD COLUMN customer_details JSON;
ALTER TABLE payment_intents ADD COLUMN customer_details JSON;
ALTER TABLE payment_links ADD COLUMN collect JSON NOT NULL DEFAULT '[]';
-- Until when a process has taken on erasing what is known about the customer; not part of the record.
ALTER TABLE checkout_sessions ADD COLUMN erasure_claimed_until BIGINT NOT NULL DEFAULT 0;
CREATE INDEX checkout_sessions_with_customer ON checkout_sessions (created_at)
  WHERE customer_email IS NOT NULL OR customer_details IS NOT NULL;
