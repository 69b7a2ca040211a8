// The cookie with the token of a session. Scripts cannot read it, and browsers send it only with requests that our own
// pages make. The prefix `__Host-` means that no other host, not even a subdomain, can have set it; browsers accept it only
// over https, so development on localhost has a plain name.

import type { IncomingHttpHeaders } from 'node:http';

export interface SessionCookie {
  /** Empty: none. */
  tokenIn(headers: IncomingHttpHeaders): string;
  /** The Set-Cookie header. */
  set(token: string): string;
  readonly cleared: string;
}

const plainName = 'paydesk_session';

export function sessionCookie(publicUrl: string): SessionCookie {
  const https = publicUrl.startsWith('https:');
  const name = https ? `__Host-${plainName}` : plainName;
  const attributes = `Path=/; HttpOnly; SameSite=Strict${https ? '; Secure' : ''}`;
  return {
    tokenIn({ cookie = '' }) {
      for (const part of cookie.split(';')) {
        const [found = '', value = ''] = part.trim().split('=', 2);
        if (found === name) return value;
      }
      return '';
    },
    // Without Max-Age: the server decides when it ends.
    set: (token) => `${name}=${token}; ${attributes}`,
    cleared: `${name}=; ${attributes}; Max-Age=0`,
  };
}
