// Customers who shop while the database fails over, with a ledger of what was acknowledged to them. Each repeats a
// request that failed with 503 at the next process until it succeeds: only then is it entered in the ledger.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type ApiClient, type ApiResponse, apiClient, type Fields } from '../support/api-client.ts';
import type { ApiContract } from '../support/api-contract.ts';
import { cardFields, customerAt, formOf, operationOf, type PageResponse } from '../support/customer.ts';

export interface Purchase {
  readonly sessionId: string;
  readonly intentId: string;
  readonly amount: number;
  /** The operation of every submitted form. */
  readonly operations: string[];
  /** As reported by the API. */
  paid: boolean;
  /** The id and amount of an acknowledged refund. */
  refund: { readonly id: string; readonly amount: number } | null;
}

export interface Ledger {
  readonly purchases: Purchase[];
  /** How many responses had each status. */
  readonly statuses: Map<number, number>;
}

export interface ShoppingOptions {
  readonly urls: readonly string[];
  readonly key: string;
  readonly contract: ApiContract;
  readonly customers: number;
}

export interface Shopping {
  readonly ledger: Ledger;
  /** Every customer completes the current purchase first. */
  stop(): Promise<void>;
}

const repeatAfterMs = 50;
const unavailable = 503;

export function startShopping({ urls, key, contract, customers }: ShoppingOptions): Shopping {
  const ledger: Ledger = { purchases: [], statuses: new Map() };
  const apis = urls.map((url) => apiClient({ url, key, contract }));
  const shops = urls.map((url) => customerAt(url));
  let stopping = false;

  /** Repeats the request at the next process while the response is 503. */
  async function untilAvailable<R extends ApiResponse | PageResponse>(
    first: number,
    request: (at: number) => Promise<R>,
  ): Promise<{ response: R; at: number }> {
    for (let at = first; ; at = (at + 1) % urls.length) {
      const response = await request(at);
      ledger.statuses.set(response.status, (ledger.statuses.get(response.status) ?? 0) + 1);
      if (response.status !== unavailable) return { response, at };
      await pause(repeatAfterMs);
    }
  }
  const api = (at: number): ApiClient => apis[at] as ApiClient;
  const shop = (at: number) => shops[at] as (typeof shops)[number];

  async function create(first: number): Promise<Purchase> {
    const amount = 500 + Math.floor(Math.random() * 10_000);
    const headers = { 'Idempotency-Key': randomUUID() };
    const body = { amount, currency: 'EUR' };
    const { response } = await untilAvailable(first, (at) => api(at).post('/checkout-sessions', body, { headers }));
    assert.equal(response.status, 201, response.text);
    const { id, payment_intent } = response.body;
    const ids = { sessionId: String(id), intentId: String(payment_intent) };
    const purchase = { ...ids, amount, operations: [], paid: false, refund: null };
    ledger.purchases.push(purchase);
    return purchase;
  }

  /** A form that was answered with 503 may have paid: the customer opens the page again, and pays if it shows the form. */
  async function pay(purchase: Purchase, first: number): Promise<void> {
    for (let tries = 0; tries < 500 && !purchase.paid; tries += 1) {
      const page = await untilAvailable(first, (at) => shop(at).open(purchase.sessionId));
      if (page.response.html.includes('name="attempt"')) {
        const form = formOf(page.response);
        purchase.operations.push(operationOf(form));
        const { status } = await shop(page.at).post(form.action, { ...form.fields, ...cardFields('4242424242424242') });
        ledger.statuses.set(status, (ledger.statuses.get(status) ?? 0) + 1);
      }
      const { response } = await untilAvailable(first, (at) => api(at).get(`/payment-intents/${purchase.intentId}`));
      purchase.paid = response.body.status === 'succeeded';
      if (!purchase.paid) await pause(repeatAfterMs);
    }
    assert.ok(purchase.paid, `${purchase.intentId} was never paid`);
  }

  async function refund(purchase: Purchase, first: number): Promise<void> {
    const amount = 1 + Math.floor(Math.random() * 400);
    const headers = { 'Idempotency-Key': randomUUID() };
    const path = `/payment-intents/${purchase.intentId}/refund`;
    for (;;) {
      const { response } = await untilAvailable(first, (at) => api(at).post(path, { amount }, { headers }));
      if (response.status === 201) {
        purchase.refund = { id: String((response.body as Fields).id), amount };
        return;
      }
      assert.equal(response.status, 409, response.text);
      await pause(repeatAfterMs);
    }
  }

  async function shopUntilStopped(first: number): Promise<void> {
    for (let turn = 0; !stopping; turn += 1) {
      const purchase = await create(first);
      await pay(purchase, first);
      if (turn % 2 === 0) await refund(purchase, first);
    }
  }
  const shopping = Promise.allSettled(
    Array.from({ length: customers }, (_, customer) => shopUntilStopped(customer % urls.length)),
  );
  return {
    ledger,
    async stop() {
      stopping = true;
      for (const result of await shopping) if (result.status === 'rejected') throw result.reason;
    },
  };
}
