// Recognises a visitor of a payment link: reloading the page, going back or pressing the button twice leads to the same
// session. The token is the id of the visit, with proof that we issued it for this link. It is in the form and in a cookie
// of the page; the server stores nothing until the visitor continues.

import { timingSafeEqual } from 'node:crypto';
import { idempotencyRetentionMs } from '../../domain/idempotency.ts';
import { isId, timeOfId } from '../../domain/ids.ts';
import type { Moment } from '../../domain/moment.ts';
import type { SecretBox } from '../../domain/secret-box.ts';
import type { HttpReply, HttpRequest } from '../route.ts';

const cookieName = 'paydesk_visitor';
/** As long as idempotency records are kept, in which an old form finds the session that it created. */
const maxAgeSeconds = idempotencyRetentionMs / 1000;

export interface LinkVisitors {
  issue(linkId: string, moment: Moment): string;
  /** The id of the visit, or null if we did not issue the token, or too long ago. */
  visitIn(linkId: string, token: string, now: number): string | null;
  /** The token that the browser kept; empty: none. */
  tokenOf(request: HttpRequest): string;
  remember(reply: HttpReply, linkId: string, token: string): HttpReply;
}

export function linkVisitors(secretBox: SecretBox, https: boolean): LinkVisitors {
  const proof = (linkId: string, visitId: string): string => secretBox.derive('link visitor', `${linkId} ${visitId}`);
  return {
    issue(linkId, moment) {
      const visitId = moment.newId('visit');
      return `${visitId}.${proof(linkId, visitId)}`;
    },
    visitIn(linkId, token, now) {
      const [visitId = '', given = ''] = token.split('.');
      // Tokens of the version before name a session, `cs_…`; the next version need not accept them. Processes of the
      // version before reject ours and show the form again, while both run side by side.
      const isNamed = isId('visit', visitId) || isId('cs', visitId);
      if (!isNamed || !same(given, proof(linkId, visitId))) return null;
      return timeOfId(visitId) > now - maxAgeSeconds * 1000 ? visitId : null;
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
