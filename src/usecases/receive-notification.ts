// A provider notifies us: what it sent is verified and stored. Only then is it answered; acting on it comes later.

import type { Notice, NotificationRequest, ProviderAccount } from '../acquirers/provider.ts';
import type { AcquirerAccount } from '../domain/acquirer-account.ts';
import { type AcquirerNotice, noticeRowId } from '../domain/acquirer-notice.ts';
import type { Scope } from '../domain/merchant.ts';
import type { Moment } from '../domain/moment.ts';
import { StorageUnavailable, type Store } from '../storage/store.ts';
import { decideAndCommit } from './decide-and-commit.ts';

export interface ReceivingDeps {
  readonly store: Store;
  readonly moment: () => Moment;
}

/** `type`: the provider's name of the event. One that was stored before is a duplicate. */
export interface StoredNotice {
  readonly type: string;
  readonly isDuplicate: boolean;
}

export type Received =
  | { readonly kind: 'stored'; readonly notices: readonly StoredNotice[] }
  /** Forged, stale or malformed. Nothing was stored. */
  | { readonly kind: 'refused'; readonly reason: string };

export async function receiveNotification(
  deps: ReceivingDeps,
  account: AcquirerAccount,
  connected: Pick<ProviderAccount, 'readNotification'>,
  request: NotificationRequest,
): Promise<Received> {
  const reading = connected.readNotification(request);
  if ('refused' in reading) return { kind: 'refused', reason: reading.refused };
  return { kind: 'stored', notices: await storeNotices(deps, account, account.id, reading.notices) };
}

/** They are durable when it resolves. */
export async function storeNotices(
  { store, moment }: ReceivingDeps,
  { merchantId, livemode }: Scope,
  accountId: string,
  given: readonly Notice[],
): Promise<readonly StoredNotice[]> {
  const { now } = moment();
  const notices = given.map(
    ({ id, type, subject, state = null }): AcquirerNotice => ({
      ...{ merchantId, livemode, id: noticeRowId(accountId, id), version: 0 },
      ...{ accountId, noticeId: id, type, subject, state, attempts: 0, dueAt: now, createdAt: now },
    }),
  );
  const outcome = await decideAndCommit(store, async () => {
    const stored = await Promise.all(notices.map((notice) => store.find('acquirerNotices', notice, notice.id)));
    const isNew = notices.map((_, at) => stored[at] === null || given[at]?.isRepeatable === true);
    const seen = notices.map(({ type }, at) => ({ type, isDuplicate: !isNew[at] }));
    // A duplicate changes nothing. A repeated one is due again, at its next version: whoever is acting on it does not
    // end it. Thus there is one for each payment, however many are sent.
    const due = notices.map((notice, at) => ({ ...notice, version: stored[at]?.version ?? 0 }));
    return { changes: { acquirerNotices: due.filter((_, at) => isNew[at]) }, result: seen };
  });
  if (!('done' in outcome)) throw new StorageUnavailable('the notification could not be stored');
  return outcome.done;
}
