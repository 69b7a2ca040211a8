-- Whom the sandbox's own pages name, and in which language. Null in rows of earlier versions.
ALTER TABLE sandbox_payments ADD COLUMN merchant JSON;
ALTER TABLE sandbox_payments ADD COLUMN locale TEXT;
