import type { ApiKey } from '../../domain/api-key.ts';
import type { Merchant } from '../../domain/merchant.ts';
import { view } from '../table.ts';
import { apiKeys } from './api-keys.ts';
import { merchants } from './merchants.ts';

export interface Credential {
  readonly key: ApiKey;
  readonly merchant: Merchant;
}

/** An API key and its merchant. */
export const credentials = view<Credential>()({
  root: { key: apiKeys },
  with: { merchant: { table: merchants, on: { id: 'merchantId' } } },
  foundBy: ['hash'],
});
