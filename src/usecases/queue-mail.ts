// Adds to a decision the messages that customers get because of it: they are queued in the commit that causes them.

import type { ChangeSet } from '../domain/change-set.ts';
import { type MailMessage, mailLocale, newMail, recipientOf } from '../domain/mail-message.ts';
import type { Moment } from '../domain/moment.ts';
import type { Store } from '../storage/store.ts';
import type { OpenedOperation } from './ask-acquirer.ts';

export interface QueueMailDeps {
  readonly store: Pick<Store, 'findBy'>;
  readonly moment: () => Moment;
  /** Whether the installation sends e-mail. If it does not, nothing is read or written for it. */
  readonly sendsMail: boolean;
}

/** `about`: the operation whose outcome these changes are. */
export async function withMail(deps: QueueMailDeps, about: OpenedOperation, changes: ChangeSet): Promise<ChangeSet> {
  if (!deps.sendsMail || recipientOf(about.session) === null) return changes;
  const isPaid = changes.events?.some(({ type }) => type === 'payment_intent.succeeded') === true;
  const refunded = (changes.refunds ?? []).filter(({ status }) => status === 'succeeded');
  if (!isPaid && refunded.length === 0) return changes;
  const { intent, session, operation, paymentOperation } = about;
  const merchant = await deps.store.findBy('merchants', 'id', intent.merchantId);
  if (merchant?.receipts !== true) return changes;
  const locale = mailLocale(session, operation.kind === 'payment' ? operation : paymentOperation);
  const moment = deps.moment();
  const common = { paymentIntentId: intent.id, locale };
  const mailMessages: MailMessage[] = [
    ...(isPaid ? [newMail(intent, { ...common, kind: 'receipt', refundId: null }, moment)] : []),
    ...refunded.map(({ id }) => newMail(intent, { ...common, kind: 'refund_notice', refundId: id }, moment)),
  ];
  return { ...changes, mailMessages };
}
