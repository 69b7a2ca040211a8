// The smoke test with a test key: a card payment, its capture and a refund. Mollie has no way to pay a test payment
// without its page, so the operator opens the link and chooses a status there, while this waits.

import type { AcquirerOperation, Answer, FollowUp } from '../acquirer.ts';
import type { TestPayment, TestStep } from '../provider.ts';
import { makePart } from './captures-and-refunds.ts';
import { authorisePayment, beginPayment, inquirePayment, type MollieContext } from './payments.ts';

const amount = 1000;
const pollEveryMs = 2_000;
const maxPolls = 150;

export async function* payForTest(context: MollieContext, request: TestPayment): AsyncGenerator<TestStep> {
  const begun = beginPayment(context, {
    id: request.id,
    amount,
    currency: request.currency,
    captureMethod: 'manual',
    method: 'card',
    returnUrl: request.returnUrl,
    notificationUrl: request.notificationUrl,
    description: 'Test payment',
    merchant: { name: 'Test payment', logoUrl: null, accentColor: null },
    locale: 'en',
    customerEmail: null,
    ids: { paymentIntent: request.id, checkoutSession: request.id },
  });
  if (begun.next !== 'authorise') throw new Error('a card payment can always be begun');
  const createdAt = context.now();
  const unpaid: AcquirerOperation = {
    id: request.id,
    amount,
    currency: request.currency,
    reference: null,
    state: begun.state ?? null,
    createdAt,
  };
  const created = await authorisePayment(context, unpaid);
  const { outcome, reference = null } = created;
  if (outcome.kind !== 'action' || reference === null) {
    yield {
      name: 'payment',
      ok: false,
      reference,
      message: `Mollie did not create the payment: ${described(created)}.`,
    };
    return;
  }
  yield {
    name: 'payment',
    ok: true,
    reference,
    message: `Created. Mollie's test payments are paid on its page only: open ${outcome.url} and choose "Authorized".`,
  };
  const payment = { ...unpaid, reference };
  const paid = await waitForCustomer(context, payment, request.wait);
  if (paid.outcome.kind !== 'authorised') {
    yield { name: 'capture', ok: false, reference, message: `Not tried: the payment is ${described(paid)}.` };
    return;
  }
  yield await part('capture', amount);
  yield await part('refund', amount);

  async function part(kind: 'capture' | 'refund', units: number): Promise<TestStep> {
    const operation: FollowUp & { kind: typeof kind } = {
      ...payment,
      id: `${request.id}-${kind}`,
      kind,
      amount: units,
      reference: null,
      state: null,
      payment,
    };
    const answer = await makePart(context, operation);
    const isMade = answer.outcome.kind === 'done' || answer.outcome.kind === 'pending';
    return {
      name: kind,
      ok: isMade,
      reference: answer.reference ?? null,
      message: isMade ? `Accepted by Mollie: ${described(answer)}.` : `Refused by Mollie: ${described(answer)}.`,
    };
  }
}

async function waitForCustomer(
  context: MollieContext,
  payment: AcquirerOperation,
  wait: TestPayment['wait'],
): Promise<Answer> {
  for (let polls = 0; ; polls += 1) {
    const answer = await inquirePayment(context, payment);
    const { kind } = answer.outcome;
    const isUndecided = kind === 'action' || kind === 'pending';
    if (!isUndecided || wait === undefined || polls === maxPolls) return answer;
    await wait(pollEveryMs);
  }
}

function described({ outcome }: Answer): string {
  if (outcome.kind === 'action') return 'not paid yet';
  if (outcome.kind !== 'declined') return outcome.kind;
  return `declined (${outcome.decline.providerCode ?? outcome.decline.code})`;
}
