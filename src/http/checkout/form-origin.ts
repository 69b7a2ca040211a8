// Checks where a form was posted from. Other sites must not pay in a customer's name, but our own pages must be able
// to, whatever a proxy does to the Host header.

import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../../domain/moment.ts';
import { isLoopbackUrl } from '../../domain/webhook-address.ts';
import type { Logger } from '../../log.ts';

export type FormCheck = (headers: IncomingHttpHeaders) => boolean;

/** Anyone can send forms, so further refusals are not logged. */
const maxLoggedPerMinute = 20;
const maxLoggedLength = 100;

/** True for a form sent by one of our pages, or by a program, which no other site can have tricked. */
export function formCheck({ publicUrl, log, clock }: { publicUrl: string; log: Logger; clock: Clock }): FormCheck {
  let minute = 0;
  let logged = 0;

  return (headers) => {
    if (isOurs(headers, publicUrl)) return true;
    const now = Math.floor(clock.now() / 60_000);
    if (now !== minute) [minute, logged] = [now, 0];
    if (logged < maxLoggedPerMinute) {
      logged += 1;
      log.warn(
        { origin: shown(headers.origin), site: shown(headers['sec-fetch-site']), publicUrl },
        'a form was refused because it was sent from another origin. If customers use that address, set PAYDESK_PUBLIC_URL to it',
      );
    }
    return false;
  };
}

/** Browsers report where a form was sent from; a client that does not is not a browser. */
function isOurs(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  const { origin, host } = headers;
  if (origin === undefined) return true;
  // Some privacy settings hide the origin. Then only `Sec-Fetch-Site` shows that the form is our own.
  if (origin === 'null') return site === 'same-origin';
  const sender = URL.parse(origin);
  if (sender === null) return false;
  const sentTo = host === undefined ? publicUrl : `${sender.protocol}//${host}`;
  return isSame(sender, publicUrl) || isSame(sender, sentTo) || isSameMachine(sender, publicUrl);
}

/** Parsed URLs have no default ports and are in lower case; a trailing dot in a host name makes no difference. */
function isSame(one: URL, other: string): boolean {
  const parsed = URL.parse(other);
  return (
    parsed !== null && one.protocol === parsed.protocol && one.port === parsed.port && nameOf(one) === nameOf(parsed)
  );
}

function nameOf({ hostname }: URL): string {
  return hostname.replace(/\.$/, '');
}

/** On a developer's machine, `localhost` and `127.0.0.1` are the same service. */
function isSameMachine(sender: URL, publicUrl: string): boolean {
  const { protocol, port } = new URL(publicUrl);
  return (
    sender.protocol === protocol && sender.port === port && isLoopbackUrl(sender.origin) && isLoopbackUrl(publicUrl)
  );
}

/** Only the origin, without anything else that the header may contain. */
function shown(header: string | string[] | undefined): string {
  const text = String(header ?? 'none');
  const origin = URL.parse(text)?.origin ?? (/^[a-z-]+$/.test(text) ? text : 'unreadable');
  return origin.slice(0, maxLoggedLength);
}
