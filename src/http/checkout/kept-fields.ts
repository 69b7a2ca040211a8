// Remembers the name, the chosen method and what was entered about the customer, so that a customer need not enter them again when a form comes back with a
// problem, even after a challenge or a bank page. They are in an encrypted cookie in the customer's browser, which
// belongs to one session and expires with it; the server stores nothing. Number, expiry and CVC are never in it.

import { type PaymentMethodType, paymentMethodTypes } from '../../domain/payment-methods.ts';
import type { SecretBox } from '../../domain/secret-box.ts';
import type { HttpReply, HttpRequest } from '../route.ts';
import type { TypedDetails } from './details-form.ts';

export interface KeptFields {
  readonly method: PaymentMethodType | null;
  readonly name: string;
  /** Null: the page asks for none. */
  readonly details: TypedDetails | null;
}

const cookieName = 'paydesk_form';
/** A cookie has at most 4096 bytes, with its name and its attributes. */
const maxNameLength = 200;
const maxSealedLength = 3_800;
export const nothingKept: KeptFields = { method: null, name: '', details: null };

export interface FieldKeeper {
  read(request: HttpRequest, sessionId: string): KeptFields;
  keep(reply: HttpReply, session: { readonly id: string; readonly seconds: number }, fields: KeptFields): HttpReply;
  /** Deletes the cookie once the session is paid. */
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
    keep(reply, { id, seconds }, { method, name, details }) {
      const sealed = (...kept: unknown[]): string =>
        Buffer.from(secretBox.seal(JSON.stringify(kept), context(id))).toString('base64url');
      const short = name.slice(0, maxNameLength);
      const all = sealed(method, short, details);
      // Addresses that fill every field to its end do not fit: such a customer enters them again.
      const value = all.length <= maxSealedLength ? all : sealed(method, short);
      return withCookie(reply, value, id, Math.ceil(seconds));
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

/** We sealed the text ourselves, but perhaps in an older format. */
function parsed(text: string): KeptFields {
  const [method, name, details = null]: unknown[] = JSON.parse(text);
  return {
    method: paymentMethodTypes.find((type) => type === method) ?? null,
    name: typeof name === 'string' ? name : '',
    details: details as TypedDetails | null,
  };
}
