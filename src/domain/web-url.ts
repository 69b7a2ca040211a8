// Addresses that merchants give and browsers are sent to. They end up in headers, so they are kept as the URL parser
// writes them: percent-encoded, in ASCII, with a host that is a plain name or an IP address.

/** In characters, once encoded: with every session id filled in it still fits the header buffers of common proxies. */
export const maxWebUrlLength = 2_048;

const placeholder = '{CHECKOUT_SESSION_ID}';
const encodedPlaceholder = new RegExp(anyEncodingOf(placeholder, ''), 'g');
/** An address inside the query of another is encoded twice or more: `%257B`. */
const everyPlaceholder = new RegExp(anyEncodingOf(placeholder, '(?:25)*'), 'g');

const controlCharacter = /\p{Cc}/u;

export type WebUrl = { readonly url: string } | { readonly wrong: string };

/** For input: what a browser accepts, as it would write it. `wrong` completes a sentence that begins with the field's name. */
export function readWebUrl(text: string): WebUrl {
  if (controlCharacter.test(text)) return { wrong: 'must not contain control characters such as tabs or line breaks' };
  if (text !== text.trim()) return { wrong: 'must not start or end with a space' };
  if (text.includes('\\') || !/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return { wrong: 'must be an absolute URL' };
  const parsed = URL.parse(text);
  if (parsed === null) return { wrong: 'must be an absolute URL' };
  const wrong = whyNotSafe(parsed);
  if (wrong !== null) return { wrong };
  const url = parsed.href.replace(encodedPlaceholder, placeholder);
  if (url.length > maxWebUrlLength)
    return { wrong: `must have at most ${maxWebUrlLength} characters when percent-encoded` };
  return { url };
}

/** For what is stored: as it may stand in a header or a link, or null where it may not. */
export function safeWebUrl(text: string): string | null {
  const parsed = URL.parse(text);
  return parsed === null || whyNotSafe(parsed) !== null ? null : parsed.href;
}

/** Safe to be a source in a content security policy. */
export function safeOrigin(text: string): string | null {
  const url = safeWebUrl(text);
  return url === null ? null : new URL(url).origin;
}

export function withSessionId(url: string, sessionId: string): string {
  return url.replace(everyPlaceholder, sessionId);
}

function whyNotSafe(url: URL): string | null {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must be an http or https URL';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  return isPlainHost(url.hostname) ? null : 'must have a host name of letters, digits, dots and hyphens';
}

/** The parser lets a host have characters that mean something elsewhere: `;` and `*` in a content security policy. */
export function isPlainHost(hostname: string): boolean {
  if (/^\[[0-9a-f:.]+\]$/.test(hostname)) return true;
  const name = hostname.replace(/\.$/, '');
  return name.length <= 253 && name.split('.').every((label) => /^[a-z0-9_-]{1,63}$/.test(label));
}

/** A pattern for a text in which any character may be percent-encoded, in either case of hexadecimal digits. */
function anyEncodingOf(text: string, afterPercent: string): string {
  return Array.from(text, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(2, '0');
    const digits = code.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
    return `(?:\\x${code}|%${afterPercent}${digits})`;
  }).join('');
}
