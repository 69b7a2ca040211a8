// The origins that may embed a merchant's checkout: how they are written, and which apply in a mode. They end up in
// headers, so they are stored as browsers write them.

import type { Merchant } from './merchant.ts';
import { readWebUrl } from './web-url.ts';

/** They are part of a header of every frame. */
export const maxEmbedOrigins = 20;

export type EmbedOrigin = { readonly origin: string } | { readonly wrong: string };

/** Parses one origin, such as `https://shop.example`. `wrong` completes a sentence that begins with it. */
export function readEmbedOrigin(text: string): EmbedOrigin {
  if (text.includes('*')) return { wrong: 'must not contain a wildcard: list each origin' };
  const read = readWebUrl(text);
  if ('wrong' in read) return read;
  const { origin, pathname, search, hash, hostname } = new URL(read.url);
  if (pathname !== '/' || search !== '' || hash !== '') return { wrong: `must end after the host name: use ${origin}` };
  // Browsers ignore them in frame-ancestors.
  if (hostname.startsWith('[')) return { wrong: 'must have a host name or an IPv4 address' };
  return { origin };
}

/** Any port of the developer's own machine, as sources of a content security policy. */
const ownMachine = ['http://localhost:*', 'http://127.0.0.1:*', 'https://localhost:*', 'https://127.0.0.1:*'];
const ownMachinePattern = /^https?:\/\/(?:localhost|127\.0\.0\.1)(?::\d{1,5})?$/;

type Embedding = Pick<Merchant, 'embedOrigins'>;

/** As sources of a content security policy. Live payments are only embedded in pages that were sent encrypted. */
export function frameAncestors({ embedOrigins }: Embedding, livemode: boolean): readonly string[] {
  return livemode ? embedOrigins.filter(isEncrypted) : [...embedOrigins, ...ownMachine];
}

/** Whether scripts of this origin may read the merchant's sessions with their client secret. */
export function mayEmbed({ embedOrigins }: Embedding, livemode: boolean, origin: string): boolean {
  if (!livemode && ownMachinePattern.test(origin)) return true;
  return embedOrigins.includes(origin) && (!livemode || isEncrypted(origin));
}

function isEncrypted(origin: string): boolean {
  return origin.startsWith('https:');
}
