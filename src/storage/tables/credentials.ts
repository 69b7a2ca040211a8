// What authentication reads.

import type { Credential } from '../../domain/api-key.ts';
import { view } from '../table.ts';
import { apiKeys } from './api-keys.ts';
import { merchants } from './merchants.ts';

/** An API key and its merchant. */
export const credentials = view<Credential>()({
  root: { key: apiKeys },
  with: { merchant: { table: merchants, on: { id: 'merchantId' } } },
  foundBy: ['hash'],
});
