-- Usable by versions that know migration 12.
-- Rows of different merchants can be on different servers, where uniqueness is only known within a merchant: see
-- storage/postgres/distribution.ts. The primary keys ensure that; ids that come alone are found by these.
DROP INDEX checkout_sessions_by_id;
CREATE INDEX checkout_sessions_by_id ON checkout_sessions (id);
DROP INDEX operations_by_id;
CREATE INDEX operations_by_id ON operations (id);
-- Endpoints are found by their merchant, or by many ids at once.
DROP INDEX webhook_endpoints_by_id;
CREATE INDEX webhook_endpoints_by_id ON webhook_endpoints (id);
