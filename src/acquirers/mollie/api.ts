// Calls to Mollie's API, version 2. They go through the door, one request each.
//
// `@mollie/api-client` is not used: it repeats requests by itself (three attempts, two seconds apart, after a 5xx) and
// brings its own HTTP client, which cannot be replaced by our door, speaks only TLS and trusts only a list of root
// certificates of 2021. We decide about repeats ourselves. In the tests, it is the oracle for the simulator.

import { AcquirerSilent, type SilenceDetails } from '../acquirer.ts';
import type { Door, DoorRequest, DoorResponse } from '../door.ts';
import { CredentialsRefused } from '../provider.ts';

export type Json = Readonly<Record<string, unknown>>;

export type ApiAnswer =
  | { readonly kind: 'ok'; readonly body: Json; readonly headers: DoorResponse['headers'] }
  /** Mollie refuses the request as such (422). */
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'not_found' };

/**
 * Mollie has refused the request, which therefore had no effect. An earlier one with the same key may have had: for a
 * repeated request, the outcome is as unknown as after silence.
 */
export class RequestRefused extends AcquirerSilent {
  /** As the status of the response, for the log. */
  readonly code: string;

  constructor(message: string, code: string, details: SilenceDetails) {
    super(message, details);
    this.code = code;
  }
}

export interface MollieApi {
  get(path: string): Promise<ApiAnswer>;
  post(path: string, key: string, body: Json): Promise<ApiAnswer>;
  delete(path: string): Promise<ApiAnswer>;
}

export interface MollieApiOptions {
  readonly door: Door;
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly now: () => number;
}

export function mollieApi({ door, apiUrl, apiKey, now }: MollieApiOptions): MollieApi {
  async function call(request: Omit<DoorRequest, 'url' | 'headers'>, path: string, headers = {}): Promise<ApiAnswer> {
    const response = await door.send({
      ...request,
      url: `${apiUrl}/v2${path}`,
      headers: { authorization: `Bearer ${apiKey}`, accept: 'application/hal+json', ...headers },
    });
    return answerOf(response, now());
  }
  return {
    get: (path) => call({ method: 'GET' }, path),
    delete: (path) => call({ method: 'DELETE' }, path),
    post: (path, key, body) =>
      call({ method: 'POST', body: JSON.stringify(body) }, path, {
        'content-type': 'application/json',
        'idempotency-key': key,
      }),
  };
}

function answerOf({ status, headers, body }: DoorResponse, now: number): ApiAnswer {
  if (status === 202 && body === '') return { kind: 'ok', body: {}, headers };
  const parsed = jsonObject(body);
  if (status >= 200 && status < 300 && parsed !== null) return { kind: 'ok', body: parsed, headers };
  if (status === 422 && parsed?.status === 422) return { kind: 'refused', code: codeOf(parsed) };
  if (status === 404 && parsed?.status === 404) return { kind: 'not_found' };
  if (status === 401) {
    const cause = new CredentialsRefused('Mollie does not accept the API key. It may have been revoked or replaced.');
    throw new RequestRefused(cause.message, 'status_401', { cause });
  }
  const message = `Mollie responded with ${status}${parsed === null ? ' and no JSON object' : ''}`;
  // 400 and 409 are also answers to a repeated key.
  const details = {
    retryAfterMs: retryAfterMs(headers['retry-after'], now),
    isOnlyAboutThis: parsed !== null && (status === 400 || status === 409),
  };
  const isRefused = status >= 400 && status < 500 && parsed?.status === status && !undecided.includes(status);
  if (isRefused) throw new RequestRefused(message, `status_${status}`, details);
  throw new AcquirerSilent(message, details);
}

/** A timeout, another request with the same key in progress, and requests that come too soon. */
const undecided: readonly number[] = [408, 409, 425, 429];

function jsonObject(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;
  } catch {
    return null;
  }
}

/** Mollie's errors have no codes, only the name of the field that is wrong. */
function codeOf({ field }: Json): string {
  return typeof field === 'string' && /^[\w.]{1,60}$/.test(field)
    ? `unprocessable_entity.${field}`
    : 'unprocessable_entity';
}

const maxRetryAfterMs = 3_600_000;

/** The header has seconds or a date. */
function retryAfterMs(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  const milliseconds = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isFinite(milliseconds) ? Math.min(Math.max(milliseconds, 0), maxRetryAfterMs) : null;
}
