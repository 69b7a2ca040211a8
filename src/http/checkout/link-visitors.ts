// Recognises a visitor of a payment link: reloading the page, going back or pressing the button twice leads to the same
// session. The token is the id of the session that the visitor will get, with proof that we issued it for this link. It is
// in the form and in a cookie of the page; the server stores nothing until the visitor continues.

import { timingSafeEqual } from 'node:crypto';
import { isId, timeOfId } from '../../domain/ids.ts';
import type { Moment } from '../../domain/moment.ts';
import type { SecretBox } from '../../domain/secret-box.ts';
import type { HttpReply, HttpRequest } from '../route.ts';

const cookieName = 'paydesk_visitor';
/** Longer than any session, so that an old form finds the session that it created. */
const maxAgeSeconds = 86_400;

export interface LinkVisitors {
  issue(linkId: string, moment: Moment): string;
  /** The id of the visitor's session, or null if we did not issue the token, or too long ago. */
  sessionIn(linkId: string, token: string, now: number): string | null;
  /** The token that the browser kept; empty: none. */
  tokenOf(request: HttpRequest): string;
  remember(reply: HttpReply, linkId: string, token: string): HttpReply;
}

export function linkVisitors(secretBox: SecretBox, https: boolean): LinkVisitors {
  const proof = (linkId: string, sessionId: string): string =>
    secretBox.derive('link visitor', `${linkId} ${sessionId}`);
  return {
    issue(linkId, moment) {
      const sessionId = moment.newId('cs');
      return `${sessionId}.${proof(linkId, sessionId)}`;
    },
    sessionIn(linkId, token, now) {
      const [sessionId = '', given = ''] = token.split('.');
      if (!isId('cs', sessionId) || !same(given, proof(linkId, sessionId))) return null;
      return timeOfId(sessionId) > now - maxAgeSeconds * 1000 ? sessionId : null;
    },
    tokenOf({ headers }) {
      for (const cookie of (headers.cookie ?? '').split(';')) {
        const [name = '', value = ''] = cookie.trim().split('=', 2);
        if (name === cookieName) return value;
      }
      return '';
    },
    remember(reply, linkId, token) {
      const cookie = `${cookieName}=${token}; Path=/pay/${linkId}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax`;
      return { ...reply, headers: { ...reply.headers, 'Set-Cookie': https ? `${cookie}; Secure` : cookie } };
    },
  };
}

function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
