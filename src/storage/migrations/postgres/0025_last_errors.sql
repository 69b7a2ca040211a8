-- Usable by versions that know migration 12.
-- The last call to the account that failed. Null: none yet, or none known, as in all rows of earlier versions.
ALTER TABLE acquirer_accounts ADD COLUMN last_error_at BIGINT;
ALTER TABLE acquirer_accounts ADD COLUMN last_error_message TEXT;
