// A client of the running service for commands that act for a merchant: it uses the public API and pages with an API
// key, like any program of the merchant. Such commands need no database, and can do nothing the merchant could not.

import { isApiKeySecret } from '../domain/api-key.ts';
import { type CommandArguments, CommandProblem, text } from './command.ts';

export type Fields = Readonly<Record<string, unknown>>;

export interface Service {
  /** Without a trailing slash. */
  readonly url: string;
  readonly key: string;
  get(path: string, query?: Readonly<Record<string, string | undefined>>): Promise<Fields>;
  post(path: string, body?: Fields, idempotencyKey?: string): Promise<Fields>;
  patch(path: string, body: Fields): Promise<Fields>;
  delete(path: string): Promise<Fields>;
  /** Opens a page for customers, or submits a form to one, without following redirects. */
  page(path: string, form?: Readonly<Record<string, string>>): Promise<Page>;
  /** A response that stays open until the signal. Errors are thrown as for `get`. */
  open(path: string, options: { headers: Readonly<Record<string, string>>; signal: AbortSignal }): Promise<Response>;
}

export interface Page {
  readonly status: number;
  readonly html: string;
}

/** The service cannot be reached, or is too busy: the same call may work later. */
export class ServiceUnavailable extends CommandProblem {
  override readonly name: string = 'ServiceUnavailable';
}

export const serviceOptions = { url: { type: 'string' }, key: { type: 'string' } } as const;

export const serviceHelp = `
  --key KEY            your API key; by default PAYDESK_API_KEY
  --url URL            the URL of the service; by default PAYDESK_URL, or else http://localhost:4020`;

const responseTimeoutMs = 30_000;

/** `testOnly`: the name of a command that only works in test mode. */
export function serviceFor(args: CommandArguments, testOnly?: string): Service {
  const url = serviceUrlFrom(args);
  const key = apiKeyFrom(args, testOnly);
  const authorization = { Authorization: `Bearer ${key}` };

  async function send(path: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(`${url}${path}`, {
        redirect: 'manual',
        signal: AbortSignal.timeout(responseTimeoutMs),
        ...init,
      });
    } catch (error) {
      throw notReached(url, error as Error);
    }
  }
  async function call(path: string, init: RequestInit): Promise<Fields> {
    const response = await send(path, init);
    const body = await jsonOf(response, url);
    if (response.ok) return body;
    throw refused(response, body, url);
  }

  return {
    url,
    key,
    get(path, query = {}) {
      const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
      const search = given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
      return call(`${path}${search}`, { headers: authorization });
    },
    post(path, body = {}, idempotencyKey) {
      const once = idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey };
      return call(path, {
        method: 'POST',
        headers: { ...authorization, 'Content-Type': 'application/json', ...once },
        body: JSON.stringify(body),
      });
    },
    patch: (path, body) =>
      call(path, {
        method: 'PATCH',
        headers: { ...authorization, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    delete: (path) => call(path, { method: 'DELETE', headers: authorization }),
    async page(path, form) {
      const response = await send(path, form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) });
      return { status: response.status, html: await response.text() };
    },
    async open(path, { headers, signal }) {
      // The timeout only applies to the headers; the body may stay open forever.
      const timeout = new AbortController();
      const timer = setTimeout(() => timeout.abort(new DOMException('', 'TimeoutError')), responseTimeoutMs);
      const signals = AbortSignal.any([signal, timeout.signal]);
      const pending = send(path, { headers: { ...authorization, ...headers }, signal: signals });
      const response = await pending.finally(() => clearTimeout(timer));
      if (response.status === 200) return response;
      throw refused(response, await jsonOf(response, url), url);
    },
  };
}

function serviceUrlFrom(args: CommandArguments): string {
  const port = process.env.PORT?.trim();
  const here = `http://localhost:${port === undefined || port === '' || port === '0' ? '4020' : port}`;
  const given = text(args, 'url') ?? (process.env.PAYDESK_URL?.trim() || here);
  const parsed = /^https?:\/\//.test(given) ? URL.parse(given) : null;
  if (parsed === null)
    throw new CommandProblem(`"${given}" is not the URL of a service; use one such as --url http://localhost:4020`);
  return `${parsed.origin}${parsed.pathname}`.replace(/\/+$/, '');
}

function apiKeyFrom(args: CommandArguments, testOnly: string | undefined): string {
  const key = text(args, 'key') ?? process.env.PAYDESK_API_KEY?.trim() ?? '';
  if (key === '') {
    throw new CommandProblem(
      'no API key. Set PAYDESK_API_KEY to a test key, or use --key sk_test_….\nCreate one with: ./bin/paydesk key create',
    );
  }
  if (testOnly !== undefined && key.startsWith('sk_live_')) {
    throw new CommandProblem(
      `this is a live key, and paydesk ${testOnly} only works in test mode; use a test key, sk_test_….\nCreate one with: ./bin/paydesk key create`,
    );
  }
  if (!isApiKeySecret(key)) {
    throw new CommandProblem(
      'this API key (sk_test_… or sk_live_…) is mistyped or incomplete; copy it again.\nCreate a new one with: ./bin/paydesk key create',
    );
  }
  return key;
}

const startIt = 'Start the service with: npm start\nIf it runs elsewhere, set its URL with --url or PAYDESK_URL.';

function notReached(url: string, error: Error): ServiceUnavailable {
  const { code } = (error.cause ?? error) as NodeJS.ErrnoException;
  if (code === 'ECONNREFUSED') return new ServiceUnavailable(`no service is running at ${url}. ${startIt}`);
  if (error.name === 'TimeoutError')
    return new ServiceUnavailable(
      `${url} did not respond within ${responseTimeoutMs / 1000} seconds. Is it Paydesk? ${startIt}`,
    );
  const why = code ?? (error.cause instanceof Error ? error.cause.message : error.message);
  return new ServiceUnavailable(`${url} could not be reached (${why}). ${startIt}`);
}

/** The request was received, but its result is unknown. */
function incompleteResponse(url: string, error: Error): ServiceUnavailable {
  if (error.name === 'TimeoutError') return notReached(url, error);
  return new ServiceUnavailable(`the response of ${url} was incomplete. Try again.`);
}

async function jsonOf(response: Response, url: string): Promise<Fields> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  const body: unknown = isJson
    ? await response.json().catch((error: Error) => Promise.reject(incompleteResponse(url, error)))
    : null;
  if (typeof body === 'object' && body !== null) return body as Fields;
  const problem = `the server at ${url} is not Paydesk (status ${response.status}). Check --url and PAYDESK_URL.`;
  throw response.status >= 500 ? new ServiceUnavailable(problem) : new CommandProblem(problem);
}

/** The message of the API, with the request id for the logs. */
function refused({ status }: Response, body: Fields, url: string): CommandProblem {
  const { message, code, request_id, param } = (body.error ?? {}) as Fields;
  const isTemporary = status === 429 || status >= 500;
  const isApiError = typeof message === 'string';
  const details = isApiError ? { code, ...(param === undefined ? {} : { param }), request_id, status } : { status };
  const problem = isApiError
    ? `${message} (${code}, ${request_id})`
    : `${url} responded with status ${status} and no error message.`;
  return isTemporary ? new ServiceUnavailable(problem, details) : new CommandProblem(problem, details);
}
