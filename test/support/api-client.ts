// The API as an outside client sees it: real HTTP, and every answer held against the served OpenAPI document.

import assert from 'node:assert/strict';
import { type ApiContract, loadContract } from './api-contract.ts';

/** The fields of a JSON object; a test asserts on those that it names. */
export type Fields = Readonly<Record<string, unknown>>;

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; empty where there was none, or no JSON. */
  readonly body: Fields;
  /** `error` of the body; empty where there is none. */
  readonly error: Fields;
}

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is; `body` arguments are sent as JSON. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
}

export interface ApiClient {
  readonly url: string;
  readonly key: string;
  get(path: string, options?: RequestOptions): Promise<ApiAnswer>;
  post(path: string, body?: unknown, options?: RequestOptions): Promise<ApiAnswer>;
  patch(path: string, body: unknown, options?: RequestOptions): Promise<ApiAnswer>;
  send(method: string, path: string, options?: RequestOptions): Promise<ApiAnswer>;
}

export interface ClientOptions {
  readonly url: string;
  /** An empty one sends no Authorization header. */
  readonly key: string;
  /** Fetched from the server unless given. */
  readonly contract?: ApiContract;
}

/** A client with an API key. Every answer that it gets must be one that the OpenAPI document promises. */
export function apiClient({ url, key, contract: given }: ClientOptions): ApiClient {
  let contract = given;

  async function send(method: string, path: string, { headers = {}, raw }: RequestOptions = {}): Promise<ApiAnswer> {
    contract ??= await loadContract(url);
    const response = await fetch(`${url}${path}`, {
      method,
      redirect: 'manual',
      headers: { ...(key === '' ? {} : { Authorization: `Bearer ${key}` }), ...headers },
      ...(raw === undefined ? {} : { body: raw }),
    });
    const answer = await readAnswer(response);
    contract.hold(method, path, answer);
    return answer;
  }

  function sendJson(method: string, path: string, body: unknown, options: RequestOptions = {}): Promise<ApiAnswer> {
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

async function readAnswer(response: Response): Promise<ApiAnswer> {
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

/** The entries of a list answer. */
export function entriesOf(answer: ApiAnswer): Fields[] {
  assert.equal(answer.status, 200, answer.text);
  assert.ok(Array.isArray(answer.body.data), answer.text);
  return answer.body.data.map(fieldsOf);
}

/** The object of an answer that must be good. */
export function must(status: number, answer: ApiAnswer): Fields {
  assert.equal(answer.status, status, answer.text);
  return answer.body;
}

export function assertRefused(
  answer: ApiAnswer,
  expected: { readonly status: number; readonly code: string; readonly param?: string },
): void {
  assert.equal(answer.status, expected.status, answer.text);
  assert.equal(answer.error.code, expected.code, answer.text);
  assert.equal(answer.error.param, expected.param, answer.text);
}
