// Acts on the notifications of providers that were stored.

import { type NoticeDeps, processNotice } from '../usecases/process-notice.ts';

export const processNoticesEveryMs = 500;

const batch = 50;
/** Longer than asking the provider can take. */
const leaseMs = 60_000;

export interface ProcessNoticesDeps extends NoticeDeps {
  readonly onFailed: (noticeId: string, error: unknown) => void;
}

/** Processes one batch; returns whether there may be more. A failure does not hold up the others. */
export async function processNotices(deps: ProcessNoticesDeps): Promise<boolean> {
  const due = await deps.store.claim('acquirerNotices', 'due', { now: deps.moment().now, leaseMs, limit: batch });
  await Promise.all(
    due.map((notice) =>
      processNotice(deps, notice, notice.id).catch((error: unknown) => deps.onFailed(notice.id, error)),
    ),
  );
  return due.length === batch;
}
