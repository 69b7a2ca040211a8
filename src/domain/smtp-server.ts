// The server that mail is sent through, as `SMTP_URL` describes it.

import { isLoopbackUrl } from './webhook-address.ts';

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** `smtps`: encrypted from the first byte. Otherwise the connection is upgraded by STARTTLS if the server offers it. */
  readonly implicitTls: boolean;
  /** Without encryption, nothing is sent. Only loopback may do without. */
  readonly requireTls: boolean;
  readonly login: { readonly user: string; readonly password: string } | null;
}

const defaultPorts = { 'smtp:': 587, 'smtps:': 465 } as const;
const hostPattern = /^(?:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/i;

/** Throws with what is wrong, without quoting any of it: it may contain a password. */
export function readSmtpUrl(text: string): SmtpServer {
  const url = URL.parse(text);
  const scheme = url?.protocol;
  if (url === null || (scheme !== 'smtp:' && scheme !== 'smtps:') || !hostPattern.test(url.hostname))
    throw new Error(
      'must be smtp://user:password@host:587 or smtps://user:password@host:465; percent-encode special characters in the user name and password, such as %40 for @',
    );
  if (!/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '')
    throw new Error('must not have a path, query or fragment');
  if (url.port === '0') throw new Error('must have a port from 1 to 65535');
  const isLoopback = isLoopbackUrl(`http://${url.hostname}`);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? defaultPorts[scheme] : Number(url.port),
    implicitTls: scheme === 'smtps:',
    requireTls: scheme === 'smtps:' || !isLoopback,
    login: loginOf(url),
  };
}

function loginOf(url: URL): SmtpServer['login'] {
  const [user, password] = [url.username, url.password].map(decoded);
  if (user === undefined || password === undefined || (user === '' && password === '')) return null;
  if (user === '' || password === '') throw new Error('must have both a user name and a password, or neither');
  return { user, password };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('must have its user name and password percent-encoded, such as %25 for %');
  }
}
