// The API as an external client sees it: real HTTP, with every response checked against the served OpenAPI document.

import assert from 'node:assert/strict';
import { type ApiContract, loadContract } from './api-contract.ts';

/** The fields of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; empty if it is missing or not JSON. */
  readonly body: Fields;
  /** The `error` field of the body; empty if there is none. */
  readonly error: Fields;
}

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent unchanged, whereas `body` arguments are sent as JSON. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
}

export interface ApiClient {
  readonly url: string;
  readonly key: string;
  get(path: string, options?: RequestOptions): Promise<ApiResponse>;
  post(path: string, body?: unknown, options?: RequestOptions): Promise<ApiResponse>;
  patch(path: string, body: unknown, options?: RequestOptions): Promise<ApiResponse>;
  send(method: string, path: string, options?: RequestOptions): Promise<ApiResponse>;
}

export interface ClientOptions {
  readonly url: string;
  /** No Authorization header is sent if it is empty. */
  readonly key: string;
  /** Fetched from the server unless given. */
  readonly contract?: ApiContract;
}

/** A client with an API key. Every response must be one that the OpenAPI document lists. */
export function apiClient({ url, key, contract: given }: ClientOptions): ApiClient {
  let contract = given;

  async function send(method: string, path: string, { headers = {}, raw }: RequestOptions = {}): Promise<ApiResponse> {
    contract ??= await loadContract(url);
    const response = await fetch(`${url}${path}`, {
      method,
      redirect: 'manual',
      headers: { ...(key === '' ? {} : { Authorization: `Bearer ${key}` }), ...headers },
      ...(raw === undefined ? {} : { body: raw }),
    });
    const received = await readResponse(response);
    contract.check(method, path, received);
    return received;
  }

  function sendJson(method: string, path: string, body: unknown, options: RequestOptions = {}): Promise<ApiResponse> {
    if (body === undefined) return send(method, path, options);
    const headers = { 'Content-Type': 'application/json', ...options.headers };
    return send(method, path, { ...options, raw: JSON.stringify(body), headers });
  }

  return {
    url,
    key,
    send,
    get: (path, options) => send('GET', path, options),
    post: (path, body, options) => sendJson('POST', path, body, options),
    patch: (path, body, options) => sendJson('PATCH', path, body, options),
  };
}

async function readResponse(response: Response): Promise<ApiResponse> {
  const { status, headers } = response;
  const text = await response.text();
  const isJson = text !== '' && headers.get('content-type')?.startsWith('application/json') === true;
  const body: Fields = isJson ? fieldsOf(JSON.parse(text)) : {};
  return { status, headers, text, body, error: isFields(body.error) ? body.error : {} };
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fieldsOf(value: unknown): Fields {
  assert.ok(isFields(value), `expected an object, got ${JSON.stringify(value)}`);
  return value;
}

export function textOf(value: unknown): string {
  assert.ok(typeof value === 'string', `expected a string, got ${JSON.stringify(value)}`);
  return value;
}

/** The entries of a list response. */
export function entriesOf(received: ApiResponse): Fields[] {
  assert.equal(received.status, 200, received.text);
  assert.ok(Array.isArray(received.body.data), received.text);
  return received.body.data.map(fieldsOf);
}

/** Asserts the status and returns the body. */
export function must(status: number, received: ApiResponse): Fields {
  assert.equal(received.status, status, received.text);
  return received.body;
}

export function assertRefused(
  received: ApiResponse,
  expected: { readonly status: number; readonly code: string; readonly param?: string },
): void {
  assert.equal(received.status, expected.status, received.text);
  assert.equal(received.error.code, expected.code, received.text);
  assert.equal(received.error.param, expected.param, received.text);
}
