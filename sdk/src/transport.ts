// One HTTP exchange: a request and its complete response, within a timeout that includes the body.

import { ConnectionError } from './errors.ts';
import type { Runtime } from './runtime.ts';

/** The part of the global `fetch` that is used. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface HttpRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface ExchangeOptions {
  readonly fetch: Fetch;
  readonly timer: Runtime['timer'];
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Throws a `ConnectionError` without a complete response, and the signal's reason if the caller aborts. */
export async function exchange(request: HttpRequest, options: ExchangeOptions): Promise<HttpResponse> {
  const { fetch, timer, timeoutMs, signal } = options;
  signal?.throwIfAborted();
  const controller = new AbortController();
  const onAbort = (): void => controller.abort();
  signal?.addEventListener('abort', onAbort, { once: true });
  let timedOut = false;
  const cancelTimer = timer(timeoutMs, () => {
    timedOut = true;
    controller.abort();
  });
  try {
    return await rejectOnAbort(send(fetch, request, controller.signal), controller.signal);
  } catch (error) {
    signal?.throwIfAborted();
    throw timedOut ? timeoutError(request, timeoutMs) : connectionError(request, error);
  } finally {
    cancelTimer();
    signal?.removeEventListener('abort', onAbort);
  }
}

async function send(fetch: Fetch, request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
  const { url, method, headers, body } = request;
  // Redirects are not followed: they would turn a POST into a GET, or send it elsewhere.
  const init: RequestInit = { method, headers, redirect: 'manual', signal };
  const response = await fetch(url, body === undefined ? init : { ...init, body });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Does not rely on `fetch` to respect the signal: a custom one may not. */
function rejectOnAbort<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

function timeoutError({ url, headers }: HttpRequest, timeoutMs: number): ConnectionError {
  const { origin } = new URL(url);
  return new ConnectionError({
    type: 'connection_error',
    code: 'timeout',
    idempotencyKey: headers['Idempotency-Key'],
    message: `${origin} did not respond within ${timeoutMs} ms. If that is too short for this call, pass a longer \`timeoutMs\`; otherwise, check the service: ${origin}/readyz.`,
  });
}

function connectionError({ url, headers }: HttpRequest, cause: unknown): ConnectionError {
  const { origin, hostname } = new URL(url);
  const reason = reasonOf(cause);
  const refused = reason === 'ECONNREFUSED';
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  const whatToDo = isLocal
    ? `Is Paydesk running? Start it in its directory with \`npm start\` or \`./bin/paydesk start\`, or pass its URL as \`baseUrl\`.`
    : 'Check `baseUrl`, and that the service is running and reachable.';
  return new ConnectionError({
    type: 'connection_error',
    code: refused ? 'connection_refused' : 'connection_failed',
    message: `${refused ? 'No service is running at' : 'There was no complete response from'} ${origin}${refused || reason === '' ? '' : ` (${reason})`}. ${whatToDo}`,
    idempotencyKey: headers['Idempotency-Key'],
    cause,
  });
}

/** `fetch` only reports that it failed; the reason is in its cause. */
function reasonOf(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if ('code' in at && typeof at.code === 'string') return at.code;
  }
  return error instanceof Error ? error.message : '';
}
