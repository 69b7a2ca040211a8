// A stand-in for Mollie on loopback, with its own books: API, checkout page and notifications. It refuses what Mollie
// refuses, and misbehaves as told.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { CleansUp } from '../../support/engines.ts';
import { Api, type ApiResponse, type ApiSettings } from './api.ts';
import { Books, type Choice, type Mode } from './books.ts';
import { checkoutPage, type PageResponse, submitCheckout } from './checkout-page.ts';
import { type Fault, type Faults, faultList } from './faults.ts';
import { methodRules } from './methods.ts';
import { MollieError } from './mollie-error.ts';
import { Notifications } from './notifications.ts';

export interface MollieSimulator {
  /** The base address of the API, without a trailing slash. */
  readonly url: string;
  readonly keys: Readonly<Record<Mode, string>>;
  readonly books: Books;
  readonly faults: Faults;
  readonly notifications: Notifications;
  /** Requests to the API so far: method and path with query. */
  readonly requests: readonly string[];
  /** What the customer does at the checkout address of a payment. Returns where they are sent then. */
  choose(checkoutUrl: string, choice: Choice, failureReason?: string): Promise<string>;
  enableMethods(methods: readonly string[]): void;
  /** Whether refunds and chargebacks come with the payment if asked for. */
  embedsParts(embeds: boolean): void;
  forgetKeys(): void;
  close(): Promise<void>;
}

export interface SimulatorOptions {
  readonly now?: () => number;
  readonly keepKeysMs?: number;
  readonly port?: number;
  /** How long each response takes: one half before its effect, the other after it. */
  readonly latencyMs?: number;
}

/** The status with which Mollie refuses a request. */
const refused = 422;

export async function startMollieSimulator(
  test: CleansUp,
  { now = Date.now, keepKeysMs = 3_600_000, port = 0, latencyMs = 0 }: SimulatorOptions = {},
): Promise<MollieSimulator> {
  const notifications = new Notifications();
  const books = new Books(now, (payment) => notifications.notify(payment));
  const faults = faultList();
  const requests: string[] = [];
  const keys = { test: 'test_simulatorsimulatorsimulator01', live: 'live_simulatorsimulatorsimulator01' };
  let url = '';
  const settings: ApiSettings = {
    keys,
    methods: Object.keys(methodRules),
    keepKeysMs,
    now,
    baseUrl: () => url,
    embeds: true,
  };
  const api = new Api(books, settings);

  async function respondToApi(request: IncomingMessage, response: ServerResponse, at: URL): Promise<void> {
    const { method = 'GET' } = request;
    const body = await text(request);
    requests.push(`${method} ${at.pathname}${at.search}`);
    if (latencyMs > 0) await pause(latencyMs / 2);
    const before = await faults.apply(method, at.pathname, 'before');
    if (before !== null && before.how !== refused) return misbehave(response, before, null);
    const answer = await api.respond({ method, url: at, headers: request.headers, body }, async () => {
      await faults.apply(method, at.pathname, 'during');
      if (before !== null) throw new MollieError(refused, 'The simulator was told to refuse this');
    });
    if (latencyMs > 0) await pause(latencyMs / 2);
    const after = before === null ? await faults.apply(method, at.pathname, 'after') : null;
    if (after !== null) return misbehave(response, after, answer);
    send(response, answer, now());
  }

  async function respondToCustomer(request: IncomingMessage, response: ServerResponse, id: string): Promise<void> {
    const form = new URLSearchParams(await text(request));
    sendPage(response, request.method === 'POST' ? submitCheckout(books, id, form) : checkoutPage(books, id));
  }

  const server = createServer((request, response) => {
    const at = new URL(request.url ?? '/', url);
    const [, checkoutId] = /^\/checkout\/(\w+)$/.exec(at.pathname) ?? [];
    const responding =
      checkoutId === undefined ? respondToApi(request, response, at) : respondToCustomer(request, response, checkoutId);
    responding.catch((error) => {
      // A client that breaks its request is no fault of the simulator.
      if (!request.complete) return response.destroy();
      response.destroy();
      throw error;
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function close(): Promise<void> {
    notifications.mode = 'drop';
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
    await notifications.idle();
  }
  test.after(close);

  return {
    url,
    keys,
    books,
    faults,
    notifications,
    requests,
    async choose(checkoutUrl, choice, failureReason) {
      const form = new URLSearchParams({ choice });
      if (failureReason !== undefined) form.set('failure_reason', failureReason);
      const response = await fetch(checkoutUrl, { method: 'POST', body: form, redirect: 'manual' });
      if (response.status !== 303) throw new Error(`the checkout page responded with ${response.status}`);
      return response.headers.get('location') ?? '';
    },
    enableMethods(methods) {
      settings.methods = methods;
    },
    embedsParts(embeds) {
      settings.embeds = embeds;
    },
    forgetKeys: () => api.forgetKeys(),
    close,
  };
}

function send(response: ServerResponse, { status, body, headers = {} }: ApiResponse, time: number): void {
  response.writeHead(status, {
    'content-type': 'application/hal+json; charset=utf-8',
    date: new Date(time).toUTCString(),
    ...headers,
  });
  response.end(body === null ? '' : JSON.stringify(body));
}

function sendPage(response: ServerResponse, { status, html, location }: PageResponse): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    ...(location === undefined ? {} : { location }),
  });
  response.end(html);
}

function misbehave(response: ServerResponse, { how, retryAfterSeconds }: Fault, answer: ApiResponse | null): void {
  if (how === 'silence') return;
  if (how === 'reset') {
    response.destroy();
  } else if (how === 'garbage') {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>It works!</h1>');
  } else if (how === 'nonsense') {
    response.writeHead(200, { 'content-type': 'application/hal+json' }).end('{"resource":"payment","status":"paid"}');
  } else if (how === 'truncated') {
    const body = JSON.stringify(answer?.body ?? {});
    response.writeHead(answer?.status ?? 200, { 'content-length': Buffer.byteLength(body) });
    response.write(body.slice(0, Math.floor(body.length / 2)), () => response.destroy());
  } else {
    const error = new MollieError(how, 'The simulator was told to respond with this status');
    const retryAfter = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
    response
      .writeHead(how, { 'content-type': 'application/hal+json', ...retryAfter })
      .end(JSON.stringify(error.body()));
  }
}
