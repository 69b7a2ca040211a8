// Makes a planned purchase: creates its session and takes its steps, each by the use case that the service has for it.

import { noticeRowId, sandboxAccountId } from '../domain/acquirer-notice.ts';
import { isRefusal, type Refusal } from '../domain/errors.ts';
import type { Payment } from '../domain/life-cycle.ts';
import { usesLeft } from '../domain/link-use.ts';
import type { Merchant, Scope } from '../domain/merchant.ts';
import { statusAt } from '../domain/payment-link.ts';
import { cancelPayment } from '../usecases/cancel-payment.ts';
import { capturePayment } from '../usecases/capture-payment.ts';
import { completeAction } from '../usecases/complete-action.ts';
import { createCheckoutSession } from '../usecases/create-checkout-session.ts';
import type { Outcome } from '../usecases/decide-and-commit.ts';
import { expireOverdueSession } from '../usecases/expire-checkout-session.ts';
import { lapseAuthorization } from '../usecases/lapse-authorization.ts';
import { pay } from '../usecases/pay.ts';
import { processNotice } from '../usecases/process-notice.ts';
import { storeNotices } from '../usecases/receive-notification.ts';
import { reconcileOperation } from '../usecases/reconcile-operation.ts';
import { refundPayment } from '../usecases/refund-payment.ts';
import { startLinkCheckout } from '../usecases/start-link-checkout.ts';
import type { PlannedPurchase } from './plan-purchase.ts';
import type { Stage } from './stage.ts';
import type { Step } from './steps.ts';
import { typedCard } from './test-cards.ts';

/** The purchase while it is made. */
interface Scene extends Stage {
  readonly plan: PlannedPurchase;
  readonly merchant: Merchant;
  readonly scope: Scope;
  readonly publicUrl: string;
  readonly sessionId: string;
}

export async function makePurchase(
  stage: Stage,
  plan: PlannedPurchase,
  { merchant, publicUrl }: { readonly merchant: Merchant; readonly publicUrl: string },
): Promise<void> {
  const scope: Scope = { merchantId: merchant.id, livemode: false };
  const sessionId = await openSession(stage, plan, merchant, publicUrl);
  const scene: Scene = { ...stage, plan, merchant, scope, publicUrl, sessionId };
  for (const step of plan.steps) {
    if (!stage.clock.reach(step.at)) return;
    await take(scene, step);
  }
}

async function openSession(
  { deps, moment }: Stage,
  { request, link }: PlannedPurchase,
  merchant: Merchant,
  publicUrl: string,
): Promise<string> {
  const current = link && (await deps.store.find('paymentLinks', link.used.link, link.used.link.id));
  const isUsable = current !== null && statusAt(current, moment().now) === 'active' && usesLeft(current) > 0;
  if (link === null || !isUsable)
    return done(await createCheckoutSession(deps, { merchant, livemode: false }, request)).id;
  const checkout = {
    visitId: moment().newId('visit'),
    amount: link.amount,
    linkUrl: `${publicUrl}/pay/${current.id}`,
  };
  return done(await startLinkCheckout(deps, { link: current, merchant }, checkout)).id;
}

function take(scene: Scene, step: Step): Promise<unknown> {
  switch (step.kind) {
    case 'pay':
      return payWith(scene, step);
    case 'act':
      return actAtBank(scene, step);
    case 'settle':
      return settle(scene);
    case 'expire':
      return expireOverdueSession(scene.deps, scene.scope, scene.sessionId).then(done);
    case 'cancel':
      return cancel(scene, step.reason);
    case 'capture':
      return capture(scene, step.share);
    case 'lapse':
      return lapse(scene);
    case 'refund':
      return refund(scene, step);
    case 'dispute':
      return dispute(scene);
  }
}

async function paymentOf({ deps, scope, sessionId }: Scene): Promise<Payment> {
  const payment = await deps.store.find('paymentsBySession', scope, sessionId);
  if (payment === null) throw new Error(`the session ${sessionId} of the demo is missing`);
  return payment;
}

async function operationOf(scene: Scene): Promise<string> {
  const { intent } = await paymentOf(scene);
  if (intent.operationId === null) throw new Error(`the payment ${intent.id} of the demo was not attempted`);
  return intent.operationId;
}

async function payWith(scene: Scene, { method, card }: Step & { kind: 'pay' }): Promise<void> {
  const { deps, clock, plan, merchant, moment, sessionId, publicUrl } = scene;
  const { country, customer, sampler } = plan;
  const payment = await paymentOf(scene);
  const result = await pay(deps, payment, {
    ...{ sessionId, method, merchant, locale: country.locale },
    operationId: moment().newId('op'),
    amount: payment.intent.amount,
    ...(card === null ? {} : { card: typedCard(card, { country, name: customer.name, now: clock.now() }, sampler) }),
    address: customer.ip,
    returnUrl: `${publicUrl}/checkout/${sessionId}/return`,
  });
  if (result.kind !== 'moved' && result.kind !== 'action')
    throw new Error(`a payment of the demo was refused: ${result.kind}`);
}

async function actAtBank(scene: Scene, { choice }: Step & { kind: 'act' }): Promise<void> {
  const operationId = await operationOf(scene);
  await scene.sandbox.act(operationId, choice);
  await completeAction(scene.deps, operationId);
}

async function settle(scene: Scene): Promise<void> {
  const operationId = await operationOf(scene);
  await scene.sandbox.settleDue();
  await reconcileOperation(scene.deps, operationId, { scheduled: false });
}

async function cancel(scene: Scene, reason: string): Promise<void> {
  const { intent } = await paymentOf(scene);
  done(await cancelPayment(scene.deps, scene.scope, { paymentIntentId: intent.id, reason }));
}

async function capture(scene: Scene, share: number): Promise<void> {
  const { intent } = await paymentOf(scene);
  const amount = partOf(intent.amount, share);
  done(await capturePayment(scene.deps, scene.scope, { paymentIntentId: intent.id, amount }));
}

async function lapse(scene: Scene): Promise<void> {
  const { intent } = await paymentOf(scene);
  done(await lapseAuthorization(scene.deps, scene.scope, intent.id));
}

async function refund(scene: Scene, { share, reason }: Step & { kind: 'refund' }): Promise<void> {
  const { intent } = await paymentOf(scene);
  const amount = Math.min(partOf(intent.amount, share), intent.amountCaptured - intent.amountRefunded);
  done(await refundPayment(scene.deps, scene.scope, { paymentIntentId: intent.id, amount, reason }));
}

/** As the service does: the sandbox notifies us, the notice is stored, and then acted on. */
async function dispute({ deps, sandbox, scope }: Scene): Promise<void> {
  const noticeIds: string[] = [];
  await sandbox.disputeDue(async (notice) => {
    await storeNotices(deps, scope, sandboxAccountId, [notice]);
    noticeIds.push(noticeRowId(sandboxAccountId, notice.id));
  });
  for (const id of noticeIds) await processNotice(deps, scope, id);
}

/** At least the smallest unit. */
function partOf(amount: number, share: number): number {
  return Math.max(1, Math.round(amount * share));
}

function done<T>(outcome: Outcome<T>): T {
  if ('done' in outcome) return outcome.done;
  throw new Error(`a step of the demo was refused: ${reasonOf(outcome)}`);
}

function reasonOf(outcome: Refusal | { answeredBefore: true }): string {
  return isRefusal(outcome) ? outcome.message : 'it was answered before';
}
