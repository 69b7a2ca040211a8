// A connected account at the Mollie simulator, with a fake clock on both sides and the smallest possible door.

import {
  type AcquirerOperation,
  AcquirerSilent,
  type BeginRequest,
  type FollowUp,
} from '../../../src/acquirers/acquirer.ts';
import type { Door } from '../../../src/acquirers/door.ts';
import { mollie } from '../../../src/acquirers/mollie/provider.ts';
import type { ProviderAccount } from '../../../src/acquirers/provider.ts';
import type { CleansUp } from '../../support/engines.ts';
import { type MollieSimulator, startMollieSimulator } from '../mollie-simulator/simulator.ts';

export const startOfTest = Date.parse('2026-03-02T10:00:00Z');
export const hour = 3_600_000;

export interface TestAccount {
  readonly simulator: MollieSimulator;
  readonly account: ProviderAccount;
  readonly clock: { now: number };
  /** The sizes of all responses so far. */
  responseBytes(): readonly number[];
  /** Gives up on all requests that are waiting for a response. */
  giveUp(): void;
  /** An operation after `begin`, as it is stored. */
  begun(request?: Partial<BeginRequest>): Promise<AcquirerOperation>;
  /** An operation that the customer has been sent to Mollie for, with the checkout address. */
  sent(request?: Partial<BeginRequest>): Promise<{ payment: AcquirerOperation; checkoutUrl: string }>;
  paid(request?: Partial<BeginRequest>): Promise<AcquirerOperation>;
}

export interface TestAccountOptions {
  readonly apiKey?: string;
  readonly livemode?: boolean;
}

export async function mollieAccount(
  test: CleansUp,
  { apiKey, livemode = false }: TestAccountOptions = {},
): Promise<TestAccount> {
  const clock = { now: startOfTest };
  const simulator = await startMollieSimulator(test, { now: () => clock.now });
  const bytes: number[] = [];
  let waiting = new AbortController();
  const door: Door = {
    async send({ method, url, headers, body }) {
      try {
        const init = { method, headers, redirect: 'manual', signal: waiting.signal } as const;
        const response = await fetch(url, body === undefined ? init : { ...init, body });
        const text = await response.text();
        bytes.push(Buffer.byteLength(text));
        return { status: response.status, headers: Object.fromEntries(response.headers), body: text };
      } catch (cause) {
        throw new AcquirerSilent('no response', { cause });
      }
    },
    async close() {},
  };
  const account = mollie.connect({
    livemode,
    credentials: { api_key: apiKey ?? simulator.keys.test },
    door,
    apiUrl: simulator.url,
    now: () => clock.now,
  });
  let count = 0;

  async function begun(request: Partial<BeginRequest> = {}): Promise<AcquirerOperation> {
    count += 1;
    const full = { ...beginRequest(`op_${count}`), ...request };
    const answer = await account.begin(full);
    if (answer.next !== 'authorise') throw new Error(`begin returned ${answer.next}`);
    const { id, amount, currency } = full;
    return {
      id,
      amount,
      currency,
      reference: answer.reference ?? null,
      state: answer.state ?? null,
      createdAt: clock.now,
    };
  }
  async function sent(
    request: Partial<BeginRequest> = {},
  ): Promise<{ payment: AcquirerOperation; checkoutUrl: string }> {
    const before = await begun(request);
    const { outcome, reference = null } = await account.authorise(before);
    if (outcome.kind !== 'action') throw new Error(`authorise returned ${outcome.kind}`);
    return { payment: { ...before, reference }, checkoutUrl: outcome.url };
  }
  return {
    simulator,
    account,
    clock,
    begun,
    sent,
    responseBytes: () => bytes,
    giveUp() {
      waiting.abort();
      waiting = new AbortController();
    },
    async paid(request) {
      const { payment, checkoutUrl } = await sent(request);
      await simulator.choose(checkoutUrl, request?.captureMethod === 'manual' ? 'authorized' : 'paid');
      return payment;
    },
  };
}

export function beginRequest(id: string): BeginRequest {
  return {
    id,
    amount: 1250,
    currency: 'EUR',
    captureMethod: 'automatic',
    method: 'ideal',
    returnUrl: 'https://shop.example/return',
    notificationUrl: 'http://127.0.0.1:9/notifications',
    description: 'Order 7',
    merchant: { name: 'Shop', logoUrl: null, accentColor: null },
    locale: 'de-AT',
    customerEmail: 'ada@example.com',
    ids: { paymentIntent: 'pi_1', checkoutSession: 'cs_1' },
  };
}

export function followUp(kind: FollowUp['kind'], payment: AcquirerOperation, amount = payment.amount): FollowUp {
  return {
    id: `${payment.id}_${kind}_${amount}`,
    kind,
    amount,
    currency: payment.currency,
    reference: null,
    state: null,
    createdAt: payment.createdAt,
    payment,
  };
}
