// Calls to the API of Tillbank, a provider that does not exist. It knows every operation by our id, so a request that is
// repeated has no second effect, and everything can be looked up later.

import { AcquirerSilent } from '../../src/acquirers/acquirer.ts';
import type { Door, DoorRequest } from '../../src/acquirers/door.ts';
import { CredentialsRefused } from '../../src/acquirers/provider.ts';

export interface TillbankApi {
  /** Null: Tillbank knows nothing of that name. */
  get(path: string): Promise<Json | null>;
  post(path: string, body: Json): Promise<Json | null>;
}

export type Json = Readonly<Record<string, unknown>>;

export function tillbankApi(door: Door, apiUrl: string, apiKey: string): TillbankApi {
  async function call(path: string, request: Pick<DoorRequest, 'method' | 'body'>): Promise<Json | null> {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const { status, body, headers: received } = await door.send({ ...request, url: `${apiUrl}${path}`, headers });
    if (status === 404) return null;
    if (status === 401) {
      const cause = new CredentialsRefused('Tillbank does not accept the API key.');
      throw new AcquirerSilent(cause.message, { cause });
    }
    const answer = status === 200 ? objectIn(body) : null;
    // Too many requests, an error of the server, a page of a proxy: it may have acted or not.
    if (answer === null) {
      const seconds = /^\d{1,5}$/.exec(received['retry-after'] ?? '')?.[0];
      const retryAfterMs = seconds === undefined ? null : Number(seconds) * 1_000;
      throw new AcquirerSilent(`Tillbank sent no usable response (status ${status}).`, { retryAfterMs });
    }
    return answer;
  }
  return {
    get: (path) => call(path, { method: 'GET' }),
    post: (path, body) => call(path, { method: 'POST', body: JSON.stringify(body) }),
  };
}

export function objectIn(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;
  } catch {
    return null;
  }
}
