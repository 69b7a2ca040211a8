// The merchant's settings and acquirer accounts, as the server describes them.

import type { AcquirersBody, SettingsBody } from '../../src/http/dashboard/api-types.ts';

export type { AcquirerBody, AcquirerCheck, AcquirersBody } from '../../src/http/dashboard/api-types.ts';

export interface MerchantSettings extends SettingsBody {
  /** Absent if the server has no embedded checkout. */
  readonly embed_origins?: string[];
}

/** What an account can be added for. */
export type AcquirerProvider = AcquirersBody['providers'][number];
