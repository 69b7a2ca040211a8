// The sandbox's notifications take the way of those of providers, without the network.

import type { Notice } from '../acquirers/provider.ts';
import { sandboxAccountId } from '../domain/acquirer-notice.ts';
import type { Moment } from '../domain/moment.ts';
import type { Store } from '../storage/store.ts';
import { storeNotices } from '../usecases/receive-notification.ts';

export function sandboxNotices(deps: { readonly store: Store; readonly moment: () => Moment }) {
  return async (notice: Notice): Promise<void> => {
    const operation = await deps.store.findBy('operations', 'id', notice.subject);
    if (operation !== null) await storeNotices(deps, operation, sandboxAccountId, [notice]);
  };
}
