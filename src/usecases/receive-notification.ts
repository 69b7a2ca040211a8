// A provider notifies us: what it sent is verified and stored. Only then is it answered; acting on it comes later.

import type { NotificationRequest, ProviderAccount } from '../acquirers/provider.ts';
import type { AcquirerAccount } from '../domain/acquirer-account.ts';
import { type AcquirerNotice, noticeRowId } from '../domain/acquirer-notice.ts';
import type { Moment } from '../domain/moment.ts';
import { StorageUnavailable, type Store } from '../storage/store.ts';
import { decideAndCommit } from './decide-and-commit.ts';

export interface ReceivingDeps {
  readonly store: Store;
  readonly moment: () => Moment;
}

export type Received =
  /** `notices`: by the provider's name of the event; those that were stored before are duplicates. */
  | { readonly kind: 'stored'; readonly notices: readonly { readonly type: string; readonly isDuplicate: boolean }[] }
  /** Forged, stale or malformed. Nothing was stored. */
  | { readonly kind: 'refused'; readonly reason: string };

export async function receiveNotification(
  { store, moment }: ReceivingDeps,
  account: AcquirerAccount,
  connected: Pick<ProviderAccount, 'readNotification'>,
  request: NotificationRequest,
): Promise<Received> {
  const reading = connected.readNotification(request);
  if ('refused' in reading) return { kind: 'refused', reason: reading.refused };
  const { now } = moment();
  const notices = reading.notices.map(
    ({ id, type, subject, state = null }): AcquirerNotice => ({
      ...{ merchantId: account.merchantId, livemode: account.livemode, id: noticeRowId(account.id, id), version: 0 },
      ...{ accountId: account.id, noticeId: id, type, subject, state, attempts: 0, dueAt: now, createdAt: now },
    }),
  );
  const outcome = await decideAndCommit(store, async () => {
    const stored = await Promise.all(notices.map((notice) => store.find('acquirerNotices', notice, notice.id)));
    const seen = notices.map(({ type }, at) => ({ type, isDuplicate: stored[at] !== null }));
    // A duplicate changes nothing.
    return { changes: { acquirerNotices: notices.filter((_, at) => stored[at] === null) }, result: seen };
  });
  if (!('done' in outcome)) throw new StorageUnavailable('the notification could not be stored');
  return { kind: 'stored', notices: outcome.done };
}
