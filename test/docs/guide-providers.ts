// The providers that a guide uses: simulators of Stripe and Mollie, in test and live mode, and what people do there.

import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type MollieSimulator, startMollieSimulator } from '../acquirers/mollie-simulator/simulator.ts';
import { type StripeSimulator, startStripeSimulator } from '../acquirers/stripe-simulator/simulator.ts';
import type { CleansUp } from '../support/engines.ts';

export interface GuideProviders {
  /** Settings that lead to the simulators. */
  readonly settings: Readonly<Record<string, string>>;
  /** Keys in the guides, and what replaces them. */
  readonly keys: readonly (readonly [inGuide: string, key: string])[];
  registerAtStripe(notificationUrl: string): void;
  payAtMollie(checkoutUrl: string, choice: 'paid' | 'authorized'): Promise<void>;
  refundAtStripe(reference: string, amount: number): void;
}

const webhookSecret = 'whsec_simulated';

export async function startGuideProviders(test: CleansUp): Promise<GuideProviders> {
  const mollie: MollieSimulator = await startMollieSimulator(test);
  const stripe = await startStripeSimulator(test, { secretKey: 'rk_test_simulated' });
  const live = await startStripeSimulator(test, { secretKey: 'rk_live_simulated', livemode: true });
  return {
    settings: {
      PAYDESK_STRIPE_API_URL: await byKey(test, stripe, live),
      PAYDESK_MOLLIE_API_URL: mollie.url,
    },
    keys: [
      ['rk_test_51…', stripe.secretKey],
      ['rk_live_51…', live.secretKey],
      ['pk_test_51…', 'pk_test_simulated'],
      ['pk_live_51…', 'pk_live_simulated'],
      ['whsec_9x…', webhookSecret],
      ['test_dHar…', mollie.keys.test],
      ['live_dHar…', mollie.keys.live],
    ],
    registerAtStripe: (notificationUrl) => stripe.notifications.sendTo(notificationUrl, webhookSecret),
    async payAtMollie(checkoutUrl, choice) {
      await mollie.choose(checkoutUrl, choice);
    },
    refundAtStripe: (reference, amount) => void stripe.dashboard.refund(reference, amount),
  };
}

/** Stripe has one address for both modes: the key decides. Returns that address. */
async function byKey(test: CleansUp, stripe: StripeSimulator, live: StripeSimulator): Promise<string> {
  function forward(message: IncomingMessage, response: ServerResponse): void {
    const { url } = message.headers.authorization?.includes('_live_') ? live : stripe;
    const { method, headers } = message;
    const onward = httpRequest(`${url}${message.url}`, { method: method ?? 'GET', headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    message.pipe(onward);
  }
  const server = createServer(forward);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  test.after(async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
