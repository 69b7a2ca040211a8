// The acquirers of this installation, by account.

import type { Acquirer } from './acquirer.ts';
import type { Acquirers } from './acquirers.ts';
import { noAcquirer } from './no-acquirer.ts';

export interface AcquirersDeps {
  readonly publicUrl: string;
  readonly sandbox: Acquirer;
}

export function acquirersOf({ publicUrl, sandbox }: AcquirersDeps): Acquirers {
  return {
    at: async ({ livemode }) => (livemode ? noAcquirer : sandbox),
    notificationUrl: (acquirerId) => `${publicUrl}/acquirers/${acquirerId ?? 'sandbox'}/notifications`,
  };
}
