-- Deliveries are pruned by when they ended: the time of the last attempt, or of a delivery that had none, its own.
DROP INDEX deliveries_by_age;
CREATE INDEX deliveries_by_end ON deliveries (coalesce((attempts -> -1 ->> 'at')::float8, created_at))
  WHERE due_at IS NULL;
