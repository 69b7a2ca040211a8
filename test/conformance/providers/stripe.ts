// Stripe under test: the simulator with its books, in the words of the suite.

import type { Intent } from '../../acquirers/stripe-simulator/books.ts';
import { refundsOf } from '../../acquirers/stripe-simulator/books.ts';
import type { Fault as SimulatorFault } from '../../acquirers/stripe-simulator/faults.ts';
import { signatureOf } from '../../acquirers/stripe-simulator/notifications.ts';
import { type StripeSimulator, startStripeSimulator } from '../../acquirers/stripe-simulator/simulator.ts';
import {
  type Call,
  type Fault,
  httpFaults,
  type ProviderNotifications,
  type ProviderPayment,
  type ProviderUnderTest,
  type RunningProvider,
  type Way,
} from '../provider-under-test.ts';

const webhookSecret = 'whsec_simulated';

const tokens: Readonly<Record<Way, string>> = {
  plain: 'pm_card_visa',
  declined: 'pm_card_visa_chargeDeclined',
  challenge: 'pm_card_threeDSecure2Required',
  refund_pends: 'pm_card_pendingRefund',
};

const endpoints: Readonly<Record<Call, string>> = {
  begin: 'payment_intents.create',
  authorise: 'payment_intents.confirm',
  inquire: 'payment_intents.retrieve',
  close: 'payment_intents.cancel',
  capture: 'payment_intents.capture',
  void: 'payment_intents.cancel',
  refund: 'refunds.create',
};

export const stripeUnderTest: ProviderUnderTest = {
  name: 'stripe',
  faults: {
    begin: httpFaults,
    authorise: httpFaults,
    inquire: httpFaults,
    close: httpFaults,
    capture: httpFaults,
    void: httpFaults,
    refund: httpFaults,
  },
  cannot: {
    'a customer who cancels at the provider gets the form again':
      'the 3DS page of a bank has no such button: leaving it is a challenge that nobody answers',
    'money that arrives after expiry is refunded in full by itself':
      'a PaymentIntent with manual confirmation is charged only by our request, and is canceled before we expire it',
    'a refund of a late payment is repeated until the provider accepts it': 'there are no late payments, see above',
    'a refund of a late payment that the provider keeps refusing fails visibly, and the merchant can refund it':
      'there are no late payments, see above',
    'a payment completed at the provider at the moment of expiry is paid here':
      'the challenge moves no money: after it, our own request does',
  },
  async start(test, now, latencyMs = 0) {
    const simulator = await startStripeSimulator(test, { now, latencyMs });
    return running(simulator, now);
  },
};

function running(simulator: StripeSimulator, now: () => number): RunningProvider {
  const { books, faults } = simulator;
  /** Of earlier merchants. */
  let eventsBefore = 0;
  return {
    settings: { PAYDESK_STRIPE_API_URL: simulator.url },
    account: {
      credentials: {
        secret_key: simulator.secretKey,
        publishable_key: 'pk_test_simulated',
        webhook_secret: webhookSecret,
      },
      methods: ['card'],
    },
    begin(url) {
      eventsBefore = simulator.notifications.events.length;
      simulator.notifications.sendTo(url, webhookSecret);
    },
    form: (way) => ({ fields: { method: 'card', card_token: tokens[way] } }),
    async act(actionUrl, choice) {
      const answer = choice === 'pass' ? 'pass' : 'fail';
      const response = await fetch(`${actionUrl}/${answer}`, { method: 'POST', redirect: 'manual' });
      return response.headers.get('location') ?? '';
    },
    inject(call, fault) {
      const endpoint = endpoints[call];
      const before = simulator.calls.filter((one) => one.endpoint === endpoint).length;
      faults.inject(endpoint, simulatorFault(fault));
      return { wasMet: () => simulator.calls.filter((one) => one.endpoint === endpoint).length > before };
    },
    clearFaults: () => faults.clear(),
    books: async () => [...books.intents.values()].map((intent) => entryOf(simulator, intent)),
    async settlePending() {
      for (const { id, status } of books.refunds.values())
        if (status === 'pending') simulator.dashboard.settleRefund(id, 'succeeded');
    },
    dashboard: {
      refund: (reference, amount) => void simulator.dashboard.refund(reference, amount),
      failRefund: (reference) => simulator.dashboard.settleRefund(reference, 'failed'),
    },
    notifications: notificationsOf(simulator, now, () => eventsBefore),
  };
}

/** Amounts in EUR are the same in both units. */
function entryOf({ books }: StripeSimulator, intent: Intent): ProviderPayment {
  const { charge, status } = intent;
  const isCharged = charge?.status === 'succeeded';
  return {
    reference: intent.id,
    operation: intent.metadata.paydesk_operation ?? null,
    amount: intent.amount,
    currency: intent.currency.toUpperCase(),
    isOpen: status === 'requires_action',
    held: isCharged && charge.captured === 0 && !charge.released ? intent.amount : 0,
    captured: isCharged ? charge.captured : 0,
    refunds: refundsOf(books, intent).map(({ id, amount, status: refund }) => ({
      ...{ reference: id, amount, status: refund === 'canceled' ? ('failed' as const) : refund },
    })),
    captureBefore: charge?.captureBefore == null ? null : charge.captureBefore * 1_000,
  };
}

function simulatorFault({ how, when }: Fault): SimulatorFault {
  switch (how) {
    case 'silence':
      return when === 'before' ? 'silent_before' : 'silent_after';
    case 'reset':
      return when === 'before' ? 'reset_before' : 'reset_after';
    case 'garbage':
      return when === 'before' ? 'garbage_before' : 'garbage_after';
    case 'server_error':
      return when === 'before' ? '500_before' : '500_after';
    case 'too_many_requests':
      return '429';
    case 'refused':
      throw new Error('the simulator of Stripe refuses only what is wrong');
  }
}

function notificationsOf(
  simulator: StripeSimulator,
  now: () => number,
  eventsBefore: () => number,
): ProviderNotifications {
  const { notifications } = simulator;
  return {
    mode(mode) {
      notifications.setPolicy({
        ...(mode === 'duplicate' ? { copies: 3 } : {}),
        ...(mode === 'hold' ? { hold: true } : {}),
        ...(mode === 'drop' ? { drop: () => true } : {}),
      });
    },
    release: (order) =>
      notifications.release((events) => (order === 'newest_first' ? [...events].reverse() : [...events])),
    async repeatAll() {
      for (const event of notifications.events.slice(eventsBefore())) await notifications.resend(event);
    },
    idle: () => notifications.idle(),
    async forge(url) {
      const event = notifications.events.at(-1);
      const body = event?.body ?? '{}';
      const seconds = Math.floor(now() / 1_000);
      const send = async (signature: string | null, sent: string) => {
        const headers = signature === null ? {} : { 'stripe-signature': signature };
        const response = await fetch(url, { method: 'POST', body: sent, headers });
        await response.arrayBuffer();
        return response.status;
      };
      return [
        { got: await send(null, body), expected: 400 },
        { got: await send(signatureOf('whsec_guessed', seconds, body), body), expected: 400 },
        { got: await send(signatureOf(webhookSecret, seconds, body), `${body} `), expected: 400 },
        { got: await send(signatureOf(webhookSecret, seconds - 301, body), body), expected: 400 },
      ];
    },
  };
}
