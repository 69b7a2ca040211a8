// Counters of card payment attempts.

import type { AttemptCounter } from '../../domain/attempt-counts.ts';
import { table } from '../table.ts';

/** Counts are incremented in place, by each engine in its own way: see `attemptCounts` of a change set. */
export const attemptCounters = table<AttemptCounter>()({
  name: 'attempt_counters',
  columns: { key: 'text', slots: 'json', lastDeclinedAt: 'integer', eraseAt: 'integer' },
  key: ['key'],
  order: { by: 'key', ascending: true },
});
