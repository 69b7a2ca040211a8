// Reads a response of the service: the requested object, or an error. Responses that are not from the service, such as
// the error page of a proxy, are recognised.

import { ApiError, errorFromResponse, type PaydeskError } from './errors.ts';
import type { HttpResponse } from './transport.ts';

export type CallResult =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly error: PaydeskError };

export interface SentRequest {
  readonly url: string;
  readonly method: string;
  readonly idempotencyKey: string | undefined;
  /** Milliseconds since 1970, to read a `Retry-After` that is a date. */
  readonly now: number;
}

const excerptLength = 200;

export function readResponse(response: HttpResponse, request: SentRequest): CallResult {
  const body = parsed(response.text);
  if (response.status >= 200 && response.status < 300 && body !== undefined) return { ok: true, value: body };
  const { type, code, message, param, request_id } = isObject(body?.error) ? body.error : {};
  const details = {
    statusCode: response.status,
    requestId: text(request_id) ?? response.headers.get('request-id') ?? undefined,
    idempotencyKey: request.idempotencyKey,
    retryAfterMs: retryAfterMs(response.headers.get('retry-after'), request.now),
  };
  if (response.status >= 400 && typeof type === 'string' && typeof code === 'string' && typeof message === 'string')
    return { ok: false, error: errorFromResponse({ type, code, message, param: text(param), ...details }) };
  const notUnderstood = {
    type: 'api_error',
    code: 'answer_not_understood',
    message: unexpectedResponse(response, request),
  } as const;
  return { ok: false, error: new ApiError({ ...notUnderstood, ...details }) };
}

function unexpectedResponse({ status, headers, text: body }: HttpResponse, { url, method }: SentRequest): string {
  const what = `${method} ${url} returned status ${status}`;
  const location = headers.get('location');
  if (status >= 300 && status < 400 && location !== null)
    return `${what} and a redirect to ${location}, which is not followed. If Paydesk has moved, pass its new URL as \`baseUrl\`.`;
  const excerpt = body.replace(/\s+/g, ' ').trim().slice(0, excerptLength);
  const content = excerpt === '' ? 'an empty body' : `${headers.get('content-type') ?? 'no Content-Type'}: ${excerpt}`;
  return `${what} from a server that is not Paydesk, with ${content}. Check \`baseUrl\`, and any proxy in front of the service.`;
}

function parsed(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Seconds or a date (RFC 9110, section 10.2.3). */
function retryAfterMs(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  if (/^\d+$/.test(value.trim())) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
