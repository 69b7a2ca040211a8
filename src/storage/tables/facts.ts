// Facts about the whole installation.

import type { Fact } from '../../domain/change-set.ts';
import { table } from '../table.ts';

export const facts = table<Fact>()({
  name: 'facts',
  columns: { name: 'text', value: 'text' },
  key: ['name'],
  taken: 'fact',
  oftenTaken: true,
  // Also proves that every server accepts writes: see http/write-probe.ts.
  placement: 'every_node',
  foundBy: ['name'],
  order: { by: 'name', ascending: true },
});
