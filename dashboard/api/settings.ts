// The merchant's settings and acquirer accounts, as the server describes them.

import type { AcquirersBody, SettingsBody } from '../../src/http/dashboard/api-types.ts';

export type { AcquirerBody, AcquirerCheck, AcquirersBody } from '../../src/http/dashboard/api-types.ts';

export type MerchantSettings = SettingsBody;

/** What an account can be added for. */
export type AcquirerProvider = AcquirersBody['providers'][number];
