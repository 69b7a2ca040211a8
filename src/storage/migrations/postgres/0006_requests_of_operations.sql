-- Which request began an operation, so that another one with the same Idempotency-Key is known from it.
ALTER TABLE operations ADD COLUMN request_fingerprint TEXT;
-- A record is written twice where a request takes several commits: it reserves the key first, and has the answer later.
ALTER TABLE idempotency_records ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
