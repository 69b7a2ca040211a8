// Facts about the whole installation.

import type { Fact } from '../../domain/change-set.ts';
import { table } from '../table.ts';

export const facts = table<Fact>()({
  name: 'facts',
  columns: { name: 'text', value: 'text' },
  key: ['name'],
  taken: 'fact',
  oftenTaken: true,
  foundBy: ['name'],
  order: { by: 'name', ascending: true },
});
