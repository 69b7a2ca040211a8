// Sends a message again that was given up, for example after its mailbox was repaired or a setting was corrected.

import { type Refusal, refuse } from '../domain/errors.ts';
import { type MailMessage, mailDueAgain, maxMailAgeMs } from '../domain/mail-message.ts';
import type { Moment } from '../domain/moment.ts';
import type { Store } from '../storage/store.ts';
import { type Decision, decideAndCommit, type Outcome } from './decide-and-commit.ts';

export function resendMail(
  { store, moment }: { readonly store: Store; readonly moment: () => Moment },
  id: string,
): Promise<Outcome<MailMessage>> {
  return decideAndCommit(store, async (): Promise<Decision<MailMessage> | Refusal> => {
    const message = await store.findBy('mailMessages', 'id', id);
    if (message === null) return refuse('parameter_invalid', `no message ${id} exists; see paydesk mail list`);
    if (message.status === 'sent') return refuse('parameter_invalid', `${id} has been sent already`);
    if (message.status === 'pending') return refuse('parameter_invalid', `${id} is still being tried`);
    const { now } = moment();
    if (message.createdAt + maxMailAgeMs <= now)
      return refuse('parameter_invalid', `${id} is too old: messages are sent for 7 days at most`);
    const again = mailDueAgain(message, now);
    return { changes: { mailMessages: [again] }, result: again };
  });
}
