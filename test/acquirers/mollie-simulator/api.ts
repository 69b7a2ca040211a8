// Mollie's API over the books: routes, authentication and idempotency keys.

import { createHash } from 'node:crypto';
import type { Books, Mode, Payment } from './books.ts';
import { MollieError, notFound } from './mollie-error.ts';
import { minorUnits } from './money.ts';
import { checkMetadata, paymentRequest, refuseUnknownFields } from './payment-request.ts';
import {
  captureJson,
  chargebackJson,
  type Json,
  listJson,
  methodsJson,
  paymentJson,
  refundJson,
} from './representation.ts';

export interface ApiRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface ApiResponse {
  readonly status: number;
  readonly body: Json | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ApiSettings {
  readonly keys: Readonly<Record<Mode, string>>;
  /** Methods that are switched on. */
  methods: readonly string[];
  /** How long idempotency keys are kept. */
  readonly keepKeysMs: number;
  readonly now: () => number;
  readonly baseUrl: () => string;
  embeds: boolean;
}

interface StoredKey {
  readonly at: number;
  readonly request: string;
  /** Null while the first request is being processed. */
  response: ApiResponse | null;
}

const maxPage = 250;

export class Api {
  readonly #books: Books;
  readonly #settings: ApiSettings;
  readonly #keys = new Map<string, StoredKey>();

  constructor(books: Books, settings: ApiSettings) {
    this.#books = books;
    this.#settings = settings;
  }

  /** `duringEffect` runs while an idempotency key counts as in use: the place for delays and refusals. */
  async respond(request: ApiRequest, duringEffect: () => Promise<void>): Promise<ApiResponse> {
    try {
      const mode = this.#authenticate(request);
      const key = request.headers['idempotency-key'];
      if (request.method !== 'POST' || typeof key !== 'string') {
        await duringEffect();
        return this.#route(request, mode);
      }
      return await this.#once(`${mode} ${key}`, request, async () => {
        try {
          await duringEffect();
          return this.#route(request, mode);
        } catch (error) {
          return refusal(error);
        }
      });
    } catch (error) {
      return refusal(error);
    }
  }

  /** Forgets all keys, as if their time were over. */
  forgetKeys(): void {
    this.#keys.clear();
  }

  async #once(key: string, request: ApiRequest, effect: () => Promise<ApiResponse>): Promise<ApiResponse> {
    const { now, keepKeysMs } = this.#settings;
    const digest = createHash('sha256').update(`${request.url.pathname}\n${request.body}`).digest('hex');
    const stored = this.#keys.get(key);
    if (stored !== undefined && now() - stored.at < keepKeysMs) {
      if (stored.request !== digest) throw new MollieError(400, 'The idempotency key was used for a different request');
      if (stored.response === null) throw new MollieError(409, 'A request with this key is still being processed');
      return { ...stored.response, headers: { 'idempotent-replayed': 'true' } };
    }
    const first: StoredKey = { at: now(), request: digest, response: null };
    this.#keys.set(key, first);
    const response = await effect();
    first.response = response;
    return response;
  }

  #authenticate({ headers }: ApiRequest): Mode {
    const [, key = ''] = /^Bearer (\S+)$/.exec(String(headers.authorization ?? '')) ?? [];
    const { keys } = this.#settings;
    if (key === keys.test) return 'test';
    if (key === keys.live) return 'live';
    throw new MollieError(401, 'Missing authentication, or failed to authenticate');
  }

  #route(request: ApiRequest, mode: Mode): ApiResponse {
    const books = this.#books;
    books.expireDue();
    const { method, url } = request;
    const [version, resource = '', id, part, partId, ...rest] = url.pathname.slice(1).split('/');
    if (version !== 'v2' || rest.length > 0) throw new MollieError(404, 'No such endpoint');
    const base = this.#settings.baseUrl();
    const found = (payment: Payment): ApiResponse => ({
      status: 200,
      body: paymentJson(books, payment, base, this.#settings.embeds ? url.searchParams.get('embed')?.split(',') : []),
    });

    if (method === 'GET' && resource === 'methods' && id === undefined) {
      const currency = url.searchParams.get('amount[currency]') ?? 'EUR';
      return { status: 200, body: methodsJson(this.#settings.methods, currency) };
    }
    if (method === 'GET' && resource === 'profiles' && id === 'me') {
      return { status: 200, body: { resource: 'profile', id: 'pfl_simulator', mode, name: 'Simulated shop' } };
    }
    if (resource !== 'payments') throw new MollieError(404, 'No such endpoint');
    if (id === undefined) {
      if (method === 'GET') return this.#list(url, mode);
      if (method !== 'POST') throw new MollieError(405, 'The method is not allowed');
      const payment = books.create(paymentRequest(bodyOf(request), this.#settings.methods), mode);
      return { ...found(payment), status: 201 };
    }
    const payment = books.find(id, mode);
    if (part === undefined) {
      if (method === 'GET') return found(payment);
      if (method === 'DELETE') return found(books.cancel(payment));
      throw new MollieError(405, 'The method is not allowed');
    }
    if (part === 'release-authorization' && method === 'POST') {
      books.release(payment);
      return { status: 202, body: null };
    }
    if (part === 'captures') return this.#captures(request, payment, partId);
    if (part === 'refunds') return this.#refunds(request, payment, partId);
    if (part === 'chargebacks') {
      if (method !== 'GET') throw new MollieError(405, 'The method is not allowed');
      return listOrOne('chargebacks', payment.chargebacks, partId, (one) => chargebackJson(payment, one, base));
    }
    throw new MollieError(404, 'No such endpoint');
  }

  #captures(request: ApiRequest, payment: Payment, id: string | undefined): ApiResponse {
    const base = this.#settings.baseUrl();
    if (request.method === 'GET') {
      return listOrOne('captures', payment.captures, id, (capture) => captureJson(payment, capture, base));
    }
    if (request.method !== 'POST' || id !== undefined) throw new MollieError(405, 'The method is not allowed');
    const body = bodyOf(request);
    refuseUnknownFields(body, ['amount', 'description', 'metadata']);
    const units = body.amount === undefined ? payment.amount : sameCurrency(body.amount, payment);
    const capture = this.#books.capture(payment, units, checkMetadata(body.metadata));
    return { status: 201, body: captureJson(payment, capture, base) };
  }

  #refunds(request: ApiRequest, payment: Payment, id: string | undefined): ApiResponse {
    const base = this.#settings.baseUrl();
    if (request.method === 'GET') {
      return listOrOne('refunds', payment.refunds, id, (refund) => refundJson(payment, refund, base));
    }
    if (request.method !== 'POST' || id !== undefined) throw new MollieError(405, 'The method is not allowed');
    const body = bodyOf(request);
    refuseUnknownFields(body, ['amount', 'description', 'metadata']);
    const { description = '' } = body;
    if (typeof description !== 'string' || description.length > 255) {
      throw new MollieError(422, 'The description is invalid', 'description');
    }
    const amount = sameCurrency(body.amount, payment);
    const refund = this.#books.refund(payment, { amount, description, metadata: checkMetadata(body.metadata) });
    return { status: 201, body: refundJson(payment, refund, base) };
  }

  #list(url: URL, mode: Mode): ApiResponse {
    const limit = Number(url.searchParams.get('limit') ?? 50);
    if (!Number.isInteger(limit) || limit < 1 || limit > maxPage) {
      throw new MollieError(400, 'The limit is invalid', 'limit');
    }
    const newestFirst = this.#books.payments.filter((payment) => payment.mode === mode).reverse();
    const from = url.searchParams.get('from');
    const start = from === null ? 0 : newestFirst.findIndex(({ id }) => id === from);
    if (start < 0) throw new MollieError(400, 'Invalid cursor value', 'from');
    const base = this.#settings.baseUrl();
    const page = newestFirst.slice(start, start + limit).map((payment) => paymentJson(this.#books, payment, base));
    const following = newestFirst[start + limit];
    const next = following === undefined ? null : `${base}/v2/payments?from=${following.id}&limit=${limit}`;
    return { status: 200, body: listJson('payments', page, next) };
  }
}

function refusal(error: unknown): ApiResponse {
  if (!(error instanceof MollieError)) throw error;
  return { status: error.status, body: error.body() };
}

function bodyOf({ body, headers }: ApiRequest): Readonly<Record<string, unknown>> {
  if (headers['content-type'] !== 'application/json') throw new MollieError(415, 'The content type is not supported');
  const parsed: unknown = parseJson(body);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new MollieError(400, 'The request body is not a JSON object');
  }
  return parsed as Record<string, unknown>;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new MollieError(400, 'The request body is not valid JSON');
  }
}

function sameCurrency(amount: unknown, payment: Payment): number {
  const { currency, units } = minorUnits(amount);
  if (currency !== payment.currency) throw new MollieError(422, 'The amount contains an invalid currency', 'amount');
  return units;
}

function listOrOne<Part extends { readonly id: string }>(
  name: string,
  parts: readonly Part[],
  id: string | undefined,
  json: (part: Part) => Json,
): ApiResponse {
  if (id === undefined) return { status: 200, body: listJson(name, parts.map(json)) };
  const part = parts.find((candidate) => candidate.id === id);
  if (part === undefined) throw notFound(id);
  return { status: 200, body: json(part) };
}
