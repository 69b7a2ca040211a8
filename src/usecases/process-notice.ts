// Acts on a notification: asks the provider what is true, and makes our books agree. The same notice may be processed
// twice, and notices in any order.

import { AcquirerSilent, type Answer } from '../acquirers/acquirer.ts';
import type { Notice, ProviderAccount, ProviderFact } from '../acquirers/provider.ts';
import type { AcquirerAccount } from '../domain/acquirer-account.ts';
import { type AcquirerNotice, sandboxAccountId, triedAgainLater } from '../domain/acquirer-notice.ts';
import type { Scope } from '../domain/merchant.ts';
import type { Operation } from '../domain/operation.ts';
import { postponedUntil } from '../domain/postponed.ts';
import { type AcquirerDeps, inquireAt, type OpenedOperation, readOperation } from './ask-acquirer.ts';
import { decideAndCommitOrThrow } from './decide-and-commit.ts';
import { importCapture } from './import-capture.ts';
import { importDisputes } from './import-disputes.ts';
import { importRefund } from './import-refund.ts';
import { reconcileOperation } from './reconcile-operation.ts';
import { returnedAfterAll } from './return-late-payment.ts';
import { settleOperation } from './settle-operation.ts';

export interface NoticeDeps extends AcquirerDeps {
  readonly connected: (account: AcquirerAccount) => Promise<ProviderAccount>;
  readonly sandbox: Pick<ProviderAccount, 'resolveNotice'>;
}

/** A payment is created at the provider before it is committed here, so its notification can come first. */
const unknownForMs = 3_600_000;

export async function processNotice(deps: NoticeDeps, scope: Scope, noticeId: string): Promise<void> {
  const notice = await deps.store.find('acquirerNotices', scope, noticeId);
  if (notice === null || notice.dueAt === null) return;
  const result = await act(deps, notice).catch((error: unknown) => {
    if (error instanceof AcquirerSilent) return error;
    throw error;
  });
  // If it was processed twice at the same time, this conflicts, and the other has done the same.
  await deps.store.commit({ acquirerNotices: [after(notice, result, deps.moment().now)] });
}

/** `result`: whether nothing is left to do, or why the provider could not be asked. */
function after(notice: AcquirerNotice, result: boolean | AcquirerSilent, now: number): AcquirerNotice {
  if (result === true) return { ...notice, dueAt: null };
  if (result === false || !result.notSent) return triedAgainLater(notice, now);
  return { ...notice, dueAt: postponedUntil(notice.createdAt, result.retryAfterMs, now) };
}

/** Whether nothing is left to do. */
async function act(deps: NoticeDeps, notice: AcquirerNotice): Promise<boolean> {
  const source = await sourceOf(deps, notice);
  if (source === null) return true;
  const { noticeId: id, type, subject, state } = notice;
  let asked: Notice = { id, type, subject, ...(state === null ? {} : { state }) };
  let fact = await source.resolveNotice(asked);
  if (fact?.kind === 'unmarked') {
    if ((await findPayment(deps, source, { ...fact, operation: null })) === null) return true;
    asked = { ...asked, isOurs: true };
    fact = await source.resolveNotice(asked);
  }
  if (fact?.kind !== 'payment') return true;
  const operation = await findPayment(deps, source, fact);
  if (operation === null) return deps.moment().now - notice.createdAt >= unknownForMs;
  const outcomes = new Map(fact.outcomes?.map((one) => [one.operation, one.answer]));
  await settlePaymentNow(deps, operation, outcomes.get(operation.id));
  outcomes.delete(operation.id);
  for (const [followUpId, answer] of outcomes) await settleFollowUpNow(deps, operation, followUpId, answer);
  for (const refund of fact.refunds) await importRefund(deps, operation.id, refund);
  const readAgain = async () => disputesIn(await source.resolveNotice(asked));
  await importDisputes(deps, { operation, provider: source.provider, readAgain }, fact.disputes);
  return fact.unread?.isAwaited !== true;
}

/** Whoever has sent the notification. */
interface NoticeSource extends Scope {
  readonly provider: string;
  /** Null: the sandbox. */
  readonly acquirerId: string | null;
  readonly resolveNotice: ProviderAccount['resolveNotice'];
}

async function sourceOf(deps: NoticeDeps, { accountId, ...scope }: AcquirerNotice): Promise<NoticeSource | null> {
  const { merchantId, livemode } = scope;
  if (accountId === sandboxAccountId)
    return { merchantId, livemode, provider: 'sandbox', acquirerId: null, resolveNotice: deps.sandbox.resolveNotice };
  const account = await deps.store.find('acquirerAccounts', scope, accountId);
  if (account === null) return null;
  const connected = await deps.connected(account);
  const resolveNotice = (notice: Notice) => connected.resolveNotice(notice);
  return { merchantId, livemode, provider: account.provider, acquirerId: account.id, resolveNotice };
}

function disputesIn(fact: ProviderFact | null) {
  return fact?.kind === 'payment' ? fact.disputes : [];
}

/** Only of this account: an id in the provider's metadata may be anything. */
async function findPayment(
  { store }: NoticeDeps,
  source: NoticeSource,
  { operation: id, reference }: { readonly operation: string | null; readonly reference: string },
): Promise<Operation | null> {
  const named = id === null ? null : await store.find('operations', source, id);
  const [referenced] =
    named === null
      ? await store.list('operations', { scope: source, where: { acquirerReference: reference }, limit: 1 })
      : [named];
  const isOfSource = referenced?.kind === 'payment' && referenced.acquirerId === source.acquirerId;
  // Metadata can be copied to another payment.
  const isSame = referenced?.acquirerReference == null || referenced.acquirerReference === reference;
  return isOfSource && isSame ? referenced : null;
}

/** `told`: the outcome, if the notification itself is the truth. */
async function settlePaymentNow(deps: NoticeDeps, operation: Operation, told?: Answer): Promise<void> {
  const { id, status } = operation;
  if (status === 'pending' || status === 'action_needed') {
    if (told === undefined) await reconcileOperation(deps, id, { scheduled: false });
    else await settleOperation(deps, id, told);
  }
  if (status === 'succeeded') await importCapture(deps, operation);
  if (status !== 'failed') return;
  const opened = await readOperation(deps.store, id);
  if (opened !== null) await returnLatePayment(deps, opened, told ?? (await inquireAt(deps, opened)));
}

async function settleFollowUpNow(deps: NoticeDeps, payment: Operation, id: string, answer: Answer): Promise<void> {
  const operation = await deps.store.find('operations', payment, id);
  if (operation?.paymentOperationId === payment.id) await settleOperation(deps, id, answer);
}

async function returnLatePayment(deps: NoticeDeps, opened: OpenedOperation, answer: Answer): Promise<void> {
  await decideAndCommitOrThrow(deps.store, async () => {
    const current = await readOperation(deps.store, opened.operation.id);
    return current === null ? {} : returnedAfterAll(deps.store, current, answer, deps.moment());
  });
}
