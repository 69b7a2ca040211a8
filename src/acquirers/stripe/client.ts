// Calls to Stripe's API. We call it directly instead of through Stripe's library, which repeats requests by itself, keeps
// global state and has 23 MB; its types still check our parameters.
//
// A reply is something that Stripe decided. Everything else is silence: no response, 5xx, too many requests, another
// request with the same idempotency key in progress, a response that is not Stripe's, and refused credentials, because a
// key can be revoked while the outcome of an earlier request is still unknown.

import { AcquirerSilent } from '../acquirer.ts';
import type { Door, DoorResponse } from '../door.ts';
import { CredentialsRefused } from '../provider.ts';
import { encodeForm, type FormFields } from './form.ts';
import { isObject, type Json, textIn } from './json.ts';
import { permissionMissing } from './permissions.ts';

/** Responses and notifications would change their shape with another version. */
export const apiVersion = '2026-08-26.dahlia';

export type Reply =
  | { readonly ok: true; readonly body: Json; readonly dateHeader: string | null }
  | { readonly ok: false; readonly error: Refusal };

/** A request that Stripe refused. */
export interface Refusal {
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
  readonly declineCode: string | null;
}

export interface StripeClient {
  get(path: string, fields?: FormFields): Promise<Reply>;
  /** `key`: the idempotency key, always the same for the same step of the same operation. */
  post(path: string, fields: FormFields, key: string): Promise<Reply>;
}

export interface ClientOptions {
  readonly door: Door;
  readonly apiUrl: string;
  readonly secretKey: string;
}

export function createClient({ door, apiUrl, secretKey }: ClientOptions): StripeClient {
  const headers = { authorization: `Bearer ${secretKey}`, 'stripe-version': apiVersion, accept: 'application/json' };
  return {
    async get(path, fields = {}) {
      const query = encodeForm(fields);
      const url = `${apiUrl}/v1/${path}${query === '' ? '' : `?${query}`}`;
      return readReply(path, await door.send({ method: 'GET', url, headers }));
    },
    async post(path, fields, key) {
      const sent = { ...headers, 'content-type': 'application/x-www-form-urlencoded', 'idempotency-key': key };
      const url = `${apiUrl}/v1/${path}`;
      return readReply(path, await door.send({ method: 'POST', url, headers: sent, body: encodeForm(fields) }));
    },
  };
}

function readReply(path: string, response: DoorResponse): Reply {
  const { status, headers } = response;
  if (status === 401) throw refused(new CredentialsRefused(revoked));
  if (status === 403) throw refused(permissionMissing(path));
  if (status === 429)
    throw new AcquirerSilent('Stripe received too many requests.', { retryAfterMs: retryAfterMs(headers) });
  if (status === 409)
    throw new AcquirerSilent('Stripe is still executing the same request.', { isOnlyAboutThis: true });
  const body = parse(response.body);
  if (body === null || status >= 500) throw new AcquirerSilent(`Stripe sent no usable response (status ${status}).`);
  if (status >= 200 && status < 300) return { ok: true, body, dateHeader: headers.date ?? null };
  const { error } = body;
  if (status < 400 || !isObject(error) || typeof error.type !== 'string')
    throw new AcquirerSilent(`Stripe sent no usable response (status ${status}).`);
  const code = textIn(error, 'code');
  return { ok: false, error: { status, type: error.type, code, declineCode: textIn(error, 'decline_code') } };
}

const revoked = 'Stripe does not accept the secret key: it was revoked or is incomplete.';

function refused(cause: CredentialsRefused): AcquirerSilent {
  return new AcquirerSilent(cause.message, { cause });
}

/** Only seconds: Stripe sends no dates here. */
function retryAfterMs(headers: DoorResponse['headers']): number | null {
  const seconds = /^\d{1,5}$/.exec(headers['retry-after'] ?? '')?.[0];
  return seconds === undefined ? null : Number(seconds) * 1_000;
}

function parse(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
