// What a customer need not type again: the name and the chosen method, when a form comes back with a problem, also by way
// of a challenge or a bank. The customer's own browser keeps them, sealed, in a cookie of this one session that ends with
// it; the server keeps nothing. Number, expiry and CVC are never in it.

import { type PaymentMethodType, paymentMethodTypes } from '../../domain/payment-methods.ts';
import type { SecretBox } from '../../domain/secret-box.ts';
import type { HttpReply, HttpRequest } from '../route.ts';

export interface KeptFields {
  readonly method: PaymentMethodType | null;
  readonly name: string;
}

const cookieName = 'paydesk_form';
/** Of a name: a cookie has 4096 bytes at most. */
const maxNameLength = 200;
export const nothingKept: KeptFields = { method: null, name: '' };

export interface FieldKeeper {
  read(request: HttpRequest, sessionId: string): KeptFields;
  keep(reply: HttpReply, session: { readonly id: string; readonly seconds: number }, fields: KeptFields): HttpReply;
  /** Once it is paid. */
  forget(reply: HttpReply, request: HttpRequest, sessionId: string): HttpReply;
}

export function fieldKeeper(secretBox: SecretBox, https: boolean): FieldKeeper {
  const context = (sessionId: string): string => `checkout form ${sessionId}`;
  const withCookie = (reply: HttpReply, value: string, sessionId: string, seconds: number): HttpReply => {
    const cookie = `${cookieName}=${value}; Path=/checkout/${sessionId}; Max-Age=${seconds}; HttpOnly; SameSite=Lax`;
    return { ...reply, headers: { ...reply.headers, 'Set-Cookie': https ? `${cookie}; Secure` : cookie } };
  };
  return {
    read(request, sessionId) {
      const sealed = cookieOf(request);
      if (sealed === null) return nothingKept;
      try {
        return parsed(secretBox.open(Buffer.from(sealed, 'base64url'), context(sessionId)));
      } catch {
        return nothingKept;
      }
    },
    keep(reply, { id, seconds }, { method, name }) {
      const text = JSON.stringify([method, name.slice(0, maxNameLength)]);
      const sealed = Buffer.from(secretBox.seal(text, context(id))).toString('base64url');
      return withCookie(reply, sealed, id, Math.ceil(seconds));
    },
    forget: (reply, request, sessionId) => (cookieOf(request) === null ? reply : withCookie(reply, '', sessionId, 0)),
  };
}

function cookieOf({ headers }: HttpRequest): string | null {
  for (const cookie of (headers.cookie ?? '').split(';')) {
    const [name = '', value = ''] = cookie.trim().split('=', 2);
    if (name === cookieName && value !== '') return value;
  }
  return null;
}

/** What we sealed ourselves; an older version may have done so in another form. */
function parsed(text: string): KeptFields {
  const [method, name]: unknown[] = JSON.parse(text);
  return {
    method: paymentMethodTypes.find((type) => type === method) ?? null,
    name: typeof name === 'string' ? name : '',
  };
}
