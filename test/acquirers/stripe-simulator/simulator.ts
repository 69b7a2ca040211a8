// A stand-in for Stripe on loopback: a real HTTP server with books of its own, which refuses what Stripe would refuse.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { CleansUp } from '../../support/engines.ts';
import { type Books, type Dispute, emptyBooks, type Intent, type Refund, refundedOf } from './books.ts';
import { serveChallenge } from './challenge-page.ts';
import { moveDispute, openDispute } from './disputes.ts';
import { type Fault, type Faults, faultList } from './faults.ts';
import { readForm } from './form.ts';
import { type IdempotencyKeys, idempotencyKeys, type Response } from './idempotency.ts';
import { type Notifications, notifications } from './notifications.ts';
import { endIntent, type Ledger } from './payments.ts';
import { makeRefund, settleRefund } from './refunds.ts';
import { type Endpoint, endpoints } from './routes.ts';
import { invalidRequest, StripeError } from './stripe-error.ts';

export interface ReceivedCall {
  readonly endpoint: string;
  readonly path: string;
  readonly idempotencyKey: string | null;
  readonly apiVersion: string | null;
  readonly body: string;
}

export interface StripeSimulator {
  /** Without a trailing slash. */
  readonly url: string;
  readonly secretKey: string;
  readonly books: Books;
  readonly faults: Faults;
  readonly keys: IdempotencyKeys;
  readonly notifications: Notifications;
  /** The key has no permission for endpoints whose names start with one of these, such as `disputes`. */
  withhold(...endpoints: readonly string[]): void;
  /** Every request that reached the server, oldest first. */
  readonly calls: readonly ReceivedCall[];
  /** What happens at Stripe without us. */
  readonly dashboard: {
    refund(intentId: string, amount?: number): Refund;
    settleRefund(refundId: string, status: 'succeeded' | 'failed'): void;
    dispute(intentId: string, kind?: 'fraudulent' | 'inquiry', amount?: number): Dispute;
    moveDispute(disputeId: string, status: string): void;
    /** The bank's hold ends before it was captured. */
    expireAuthorisation(intentId: string): void;
    setStatus(intentId: string, status: Intent['status']): void;
  };
  /** In the currency's units at Stripe, over all payments. */
  totals(): { readonly captured: number; readonly held: number; readonly refunded: number };
  close(): Promise<void>;
}

export interface SimulatorOptions {
  readonly secretKey?: string;
  readonly livemode?: boolean;
  /** In milliseconds; the system's clock by default. */
  readonly now?: () => number;
  /** How long each response takes: one half before its effect, the other after it. */
  readonly latencyMs?: number;
  readonly apiVersion?: string;
  /** Where customers complete challenges, if it is another origin than that of the API. */
  readonly pageUrl?: string;
}

export async function startStripeSimulator(test: CleansUp, options: SimulatorOptions = {}): Promise<StripeSimulator> {
  const { secretKey = 'sk_test_simulated', livemode = false, now = Date.now, latencyMs = 0 } = options;
  const nowSeconds = () => Math.floor(now() / 1_000);
  const books = emptyBooks();
  const faults = faultList();
  const keys = idempotencyKeys(nowSeconds);
  const sent = notifications(nowSeconds);
  const calls: ReceivedCall[] = [];
  let withheld: readonly string[] = [];
  const sockets = new Set<Socket>();

  const server = createServer((message, response) => {
    handle(message, response).catch((error: unknown) => {
      // The client may disconnect midway; anything else is a bug of the simulator.
      if (!response.destroyed) respond(response, 500, { error: { type: 'api_error', message: String(error) } });
    });
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const ledger: Ledger = {
    books,
    livemode,
    pageUrl: options.pageUrl ?? url,
    now: nowSeconds,
    captureWithinSeconds: 7 * 86_400,
    emit(type, object) {
      const id = books.newId('evt');
      const event = {
        id,
        object: 'event',
        api_version: options.apiVersion ?? '2026-08-26.dahlia',
        created: nowSeconds(),
        data: { object },
        livemode,
        pending_webhooks: 1,
        request: { id: null, idempotency_key: null },
        type,
      };
      sent.add({ id, type, created: event.created, body: JSON.stringify(event, null, 2) });
    },
  };

  async function handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(message.url ?? '', url);
    if (pathname.startsWith('/challenges/')) return serveChallenge(ledger, pathname, message, response);
    const body = await readText(message);
    const endpoint = endpoints.find((one) => one.method === message.method && one.path.test(pathname));
    const key = message.headers['idempotency-key'];
    const idempotencyKey = typeof key === 'string' ? key : null;
    const version = message.headers['stripe-version'];
    const apiVersion = typeof version === 'string' ? version : null;
    calls.push({ endpoint: endpoint?.name ?? 'unknown', path: pathname, idempotencyKey, apiVersion, body });
    if (latencyMs > 0) await pause(latencyMs / 2);
    const fault = endpoint === undefined ? null : faults.take(endpoint.name);
    if (fault === 'hold') {
      // A second request with the same key arrives meanwhile: Stripe refuses it as in progress.
      const claimed = idempotencyKey !== null && keys.claim(idempotencyKey, fingerprint(message, body)) === null;
      await faults.wait();
      if (claimed) keys.settle(idempotencyKey, null);
    }
    if (fault === 'silent_before') return faults.fallSilent(() => response.destroy());
    if (fault !== null && answerBefore(fault, response)) return;
    const result = execute(message, pathname, search, body, endpoint, idempotencyKey);
    if (latencyMs > 0) await pause(latencyMs / 2);
    if (fault === '500_after' && idempotencyKey !== null) keys.settle(idempotencyKey, internalError);
    if (fault === 'silent_after') return faults.fallSilent(() => response.destroy());
    if (fault !== null && answerAfter(fault, response)) return;
    respond(response, result.status, result.body, result.replayed ? { 'idempotent-replayed': 'true' } : {});
  }

  function execute(
    message: IncomingMessage,
    pathname: string,
    search: string,
    body: string,
    endpoint: Endpoint | undefined,
    idempotencyKey: string | null,
  ): Response & { replayed?: true } {
    let claimed = false;
    const settle = (response: Response, kept: boolean): Response => {
      if (claimed && idempotencyKey !== null) keys.settle(idempotencyKey, kept ? response : null);
      return response;
    };
    try {
      authenticate(message, secretKey);
      if (withheld.some((prefix) => endpoint?.name.startsWith(prefix)))
        throw invalidRequest('The provided key does not have the required permissions for this endpoint.', {}, 403);
      if (endpoint === undefined)
        throw invalidRequest(`Unrecognized request URL (${message.method}: ${pathname}).`, {}, 404);
      if (message.method === 'POST' && idempotencyKey !== null) {
        const kept = keys.claim(idempotencyKey, fingerprint(message, body));
        if (kept !== null) return { ...kept, replayed: true };
        claimed = true;
      }
      const form = readForm(message.method === 'POST' ? body : search, endpoint.parameters);
      const id = decodeURIComponent(endpoint.path.exec(pathname)?.[1] ?? '');
      return settle({ status: 200, body: structuredClone(endpoint.run(ledger, form, id)) }, true);
    } catch (error) {
      if (!(error instanceof StripeError)) throw error;
      return settle({ status: error.status, body: structuredClone(error.body()) }, error.kept);
    }
  }

  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= new Promise((resolve) => {
      faults.release();
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
    return closed;
  };
  test.after(close);

  const all = <T>(records: ReadonlyMap<string, T>, id: string): T => {
    const record = records.get(id);
    if (record === undefined) throw new Error(`the simulator has no ${id}`);
    return record;
  };
  return {
    url,
    secretKey,
    books,
    faults,
    keys,
    notifications: sent,
    calls,
    withhold(...names) {
      withheld = names;
    },
    dashboard: {
      refund: (intentId, amount) => makeRefund(ledger, books.intent(intentId), amount),
      settleRefund: (refundId, status) => settleRefund(ledger, all(books.refunds, refundId), status),
      dispute: (intentId, kind = 'fraudulent', amount) => openDispute(ledger, books.intent(intentId), kind, amount),
      moveDispute: (disputeId, status) => moveDispute(ledger, all(books.disputes, disputeId), status),
      expireAuthorisation: (intentId) => endIntent(ledger, books.intent(intentId), 'automatic'),
      setStatus: (intentId, status) => {
        books.intent(intentId).status = status;
      },
    },
    totals() {
      const charges = [...books.charges.values()].filter(({ status }) => status === 'succeeded');
      const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
      return {
        captured: sum(charges.map(({ captured }) => captured)),
        held: sum(charges.map((one) => (one.captured === 0 && !one.released ? one.intent.amount : 0))),
        refunded: sum([...books.intents.values()].map((intent) => refundedOf(books, intent))),
      };
    },
    close,
  };
}

const internalError: Response = {
  status: 500,
  body: { error: { type: 'api_error', message: 'An unknown error occurred.' } },
};

function fingerprint(message: IncomingMessage, body: string): string {
  return `${message.method} ${message.url} ${body}`;
}

function authenticate(message: IncomingMessage, secretKey: string): void {
  const [scheme = '', value = ''] = (message.headers.authorization ?? '').split(' ');
  const given = scheme === 'Basic' ? Buffer.from(value, 'base64').toString().replace(/:$/, '') : value;
  if (given === secretKey) return;
  throw invalidRequest(given === '' ? 'You did not provide an API key.' : 'Invalid API Key provided.', {}, 401);
}

/** Answers without doing anything. */
function answerBefore(fault: Fault, response: ServerResponse): boolean {
  if (fault === 'reset_before') response.socket?.resetAndDestroy();
  else if (fault === 'garbage_before') response.writeHead(200).end('<html>It works!</html>');
  else if (fault === '500_before') respond(response, 500, internalError.body);
  else if (fault === '503_before') response.writeHead(503).end('upstream connect error');
  else if (fault === '429') {
    const error = { code: 'rate_limit', message: 'Too many requests.', type: 'invalid_request_error' };
    respond(response, 429, { error }, { 'retry-after': '7' });
  } else return false;
  return true;
}

function answerAfter(fault: Fault, response: ServerResponse): boolean {
  if (fault === 'reset_after') response.socket?.resetAndDestroy();
  else if (fault === 'garbage_after') response.writeHead(200).end('{"object":"payment_intent","id":');
  else if (fault === '500_after') respond(response, 500, internalError.body);
  else return false;
  return true;
}

function respond(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  const all = { 'content-type': 'application/json', 'request-id': 'req_simulated', ...headers };
  response.writeHead(status, all).end(JSON.stringify(body));
}
