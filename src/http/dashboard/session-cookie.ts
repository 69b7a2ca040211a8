// The cookie with the token of a session. Scripts cannot read it, and browsers send it only with requests that our own
// pages make. The prefix `__Host-` means that no other host, not even a subdomain, can have set it; browsers accept it only
// over https, so development on localhost has a plain name.

import type { IncomingHttpHeaders } from 'node:http';

export interface SessionCookie {
  /** Empty: none. */
  tokenIn(headers: IncomingHttpHeaders): string;
  /** Of a browser that has signed in before: see domain/known-device.ts. Empty: none. */
  deviceIn(headers: IncomingHttpHeaders): string;
  /** The Set-Cookie headers. Without a device, the browser keeps the one it has. */
  set(token: string, device: string | null): readonly string[];
  readonly cleared: string;
}

const sessionName = 'paydesk_session';
const deviceName = 'paydesk_device';
const deviceSeconds = 365 * 86_400;

export function sessionCookie(publicUrl: string): SessionCookie {
  const https = publicUrl.startsWith('https:');
  const prefix = https ? '__Host-' : '';
  const [session, device] = [prefix + sessionName, prefix + deviceName];
  const attributes = `Path=/; HttpOnly; SameSite=Strict${https ? '; Secure' : ''}`;
  return {
    tokenIn: (headers) => cookieIn(headers, session),
    deviceIn: (headers) => cookieIn(headers, device),
    // The session has no Max-Age: the server decides when it ends.
    set: (token, known) => [
      `${session}=${token}; ${attributes}`,
      ...(known === null ? [] : [`${device}=${known}; ${attributes}; Max-Age=${deviceSeconds}`]),
    ],
    cleared: `${session}=; ${attributes}; Max-Age=0`,
  };
}

function cookieIn({ cookie = '' }: IncomingHttpHeaders, name: string): string {
  for (const part of cookie.split(';')) {
    const [found = '', value = ''] = part.trim().split('=', 2);
    if (found === name) return value;
  }
  return '';
}
