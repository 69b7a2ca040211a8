// Shared by the tests of mail: a shop whose customers get receipts, and what became of them.

import type { ChangeSet } from '../../src/domain/change-set.ts';
import { must } from '../support/api-client.ts';
import { customerAt } from '../support/customer.ts';
import type { CleansUp, Engine } from '../support/engines.ts';
import type { MailServer } from '../support/mail-server.ts';
import { type Paydesk, startPaydesk, type TestMerchant } from '../support/paydesk.ts';
import { until } from '../support/until.ts';

export const visa = '4242424242424242';

export interface MailShop {
  readonly paydesk: Awaited<ReturnType<typeof startPaydesk>>;
  readonly merchant: TestMerchant;
  /** A customer with this address pays 12.50 EUR; returns the id of the payment. */
  pay(email?: string): Promise<string>;
  /** What the service has committed so far. */
  readonly commits: readonly ChangeSet[];
}

export async function openMailShop(
  test: CleansUp,
  engine: Engine,
  settings: Readonly<Record<string, string>>,
): Promise<MailShop> {
  const commits: ChangeSet[] = [];
  const paydesk = await startPaydesk(test, engine, {
    settings,
    storage: (store) => ({
      ...store,
      commit: (changes) => {
        commits.push(changes);
        return store.commit(changes);
      },
    }),
  });
  const merchant = await paydesk.newMerchant();
  return { paydesk, merchant, commits, pay: (email) => payWith(paydesk.url, merchant, email) };
}

async function payWith(url: string, merchant: TestMerchant, email = 'ada@example.com'): Promise<string> {
  const session = await merchant.newSession({ customer_email: email });
  await customerAt(url).payByCard(session.id, visa);
  const intent = must(200, await merchant.test.get(`/payment-intents/${session.payment_intent}`));
  if (intent.status !== 'succeeded') throw new Error(`the payment is ${intent.status}`);
  return String(session.payment_intent);
}

export async function untilMails(server: MailServer, count: number): Promise<void> {
  await until(`${count} messages arrived`, () => server.received.length >= count);
}

/** The only message about a payment. */
export async function messageOf({ store }: Pick<Paydesk, 'store'>, paymentIntentId: string) {
  const [message, ...more] = await store.list('mailMessages', { limit: 10, where: { paymentIntentId } });
  if (message === undefined || more.length > 0) throw new Error(`there are ${more.length} more messages, not one`);
  return message;
}

/** Waits until a message has this many attempts. */
export async function untilAttempts(paydesk: Pick<Paydesk, 'store'>, paymentIntentId: string, count: number) {
  await until(
    `${count} attempts were recorded`,
    async () => (await messageOf(paydesk, paymentIntentId)).attempts.length >= count,
  );
  return messageOf(paydesk, paymentIntentId);
}
