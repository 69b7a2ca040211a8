// Reads a response of the service: the requested object, or an error. Responses that are not from the service, such as
// the error page of a proxy, are recognised.

import { ApiError, answeredError, type PaydeskError } from './errors.ts';
import type { HttpAnswer } from './transport.ts';

export type Answered =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly error: PaydeskError };

export interface Asked {
  readonly url: string;
  readonly method: string;
  readonly idempotencyKey: string | undefined;
  /** Milliseconds since 1970, to read a `Retry-After` that is a date. */
  readonly now: number;
}

const excerptLength = 200;

export function readAnswer(answer: HttpAnswer, asked: Asked): Answered {
  const body = parsed(answer.text);
  if (answer.status >= 200 && answer.status < 300 && body !== undefined) return { ok: true, value: body };
  const { type, code, message, param, request_id } = isObject(body?.error) ? body.error : {};
  const beside = {
    statusCode: answer.status,
    requestId: text(request_id) ?? answer.headers.get('request-id') ?? undefined,
    idempotencyKey: asked.idempotencyKey,
    retryAfterMs: retryAfterMs(answer.headers.get('retry-after'), asked.now),
  };
  if (answer.status >= 400 && typeof type === 'string' && typeof code === 'string' && typeof message === 'string')
    return { ok: false, error: answeredError({ type, code, message, param: text(param), ...beside }) };
  const notUnderstood = { type: 'api_error', code: 'answer_not_understood', message: strange(answer, asked) } as const;
  return { ok: false, error: new ApiError({ ...notUnderstood, ...beside }) };
}

function strange({ status, headers, text: body }: HttpAnswer, { url, method }: Asked): string {
  const what = `${method} ${url} returned status ${status}`;
  const location = headers.get('location');
  if (status >= 300 && status < 400 && location !== null)
    return `${what} and a redirect to ${location}, which is not followed. If Paydesk has moved, pass its new URL as \`baseUrl\`.`;
  const excerpt = body.replace(/\s+/g, ' ').trim().slice(0, excerptLength);
  const said = excerpt === '' ? 'an empty body' : `${headers.get('content-type') ?? 'no Content-Type'}: ${excerpt}`;
  return `${what} from a server that is not Paydesk, with ${said}. Check \`baseUrl\`, and any proxy in front of the service.`;
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
