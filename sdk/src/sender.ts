// Sends an API call until it has a final response: with the API key, the idempotency key, timeouts and retries.

import { type Operations, operations } from './api/operations.ts';
import { checkedId, checkParams } from './check-params.ts';
import { misuse, PaydeskError } from './errors.ts';
import { checkRetries, checkTimeout, type Settings } from './options.ts';
import { type CallResult, readResponse } from './read-response.ts';
import { retryDelayMs } from './retry.ts';
import { exchange, type HttpRequest } from './transport.ts';
import { version } from './version.ts';

/** Options of a single call, which override those of its client. */
export interface CallOptions {
  /** A UUID, for a POST. By default, each call creates a new one and reuses it for its retries. */
  readonly idempotencyKey?: string | undefined;
  /** The timeout of one attempt. */
  readonly timeoutMs?: number | undefined;
  /** How often the call is retried after a failure; 0 disables retries. */
  readonly maxRetries?: number | undefined;
  /** Ends the call when aborted, during a request or a pause between retries. */
  readonly signal?: AbortSignal | undefined;
}

export interface CallInput<Id extends keyof Operations> {
  /** The id in the path. */
  readonly id?: string;
  readonly params?: Operations[Id]['params'];
}

export type Call = <Id extends keyof Operations>(
  operation: Id,
  input: CallInput<Id>,
  options?: CallOptions,
) => Promise<Operations[Id]['response']>;

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export function sender(settings: Settings): Call {
  const { fetch, runtime } = settings;

  return async (operation, { id, params }, options = {}) => {
    const { timeoutMs = settings.timeoutMs, maxRetries = settings.maxRetries, signal } = options;
    checkTimeout(timeoutMs);
    checkRetries(maxRetries);
    checkParams(params);
    const { method, path } = operations[operation];
    const idempotencyKey = method === 'POST' ? (options.idempotencyKey ?? runtime.newIdempotencyKey()) : undefined;
    if (idempotencyKey !== undefined && !uuid.test(idempotencyKey)) {
      const rule = '`idempotencyKey` must be a UUID. Use a new one for each new request.';
      throw misuse('idempotency_key_invalid', 'idempotencyKey', `${rule} \`crypto.randomUUID()\` creates one.`);
    }
    const request = requestOf(settings, { method, path: pathOf(path, id), params, idempotencyKey });

    const attempt = async (): Promise<CallResult> => {
      try {
        const response = await exchange(request, { fetch, timer: runtime.timer, timeoutMs, signal });
        return readResponse(response, { url: request.url, method, idempotencyKey, now: runtime.now() });
      } catch (error) {
        if (!(error instanceof PaydeskError)) throw error;
        return { ok: false, error };
      }
    };

    for (let retriesMade = 0; ; retriesMade += 1) {
      const result = await attempt();
      // The types are generated from the schemas of the service, so its responses are not validated again.
      if (result.ok) return result.value as unknown as Operations[typeof operation]['response'];
      const delayMs = retriesMade < maxRetries ? retryDelayMs(result.error, retriesMade, runtime.random) : null;
      if (delayMs === null) throw result.error;
      await runtime.sleep(delayMs, signal);
    }
  };
}

function requestOf(
  { baseUrl, apiKey }: Settings,
  call: { method: string; path: string; params: object | undefined; idempotencyKey: string | undefined },
): HttpRequest {
  const { method, path, params, idempotencyKey } = call;
  const inQuery = method === 'GET';
  const body = inQuery || params === undefined ? undefined : JSON.stringify(params);
  return {
    method,
    url: `${baseUrl}${path}${inQuery ? queryOf(params) : ''}`,
    headers: {
      Accept: 'application/json',
      Authorization: `Bearer ${apiKey}`,
      'User-Agent': `paydesk-node/${version}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
    },
    body,
  };
}

function pathOf(template: string, id: unknown): string {
  return template.includes('{id}') ? template.replace('{id}', checkedId(id)) : template;
}

function queryOf(params: object | undefined): string {
  const given = Object.entries(params ?? {}).filter(([, value]) => value !== undefined);
  if (given.length === 0) return '';
  return `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`;
}
