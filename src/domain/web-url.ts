// URLs that merchants provide and browsers are sent to. They end up in headers, so they are stored as the URL parser
// writes them: percent-encoded, in ASCII, with a host that is a plain name or an IP address.

/**
 * In characters, percent-encoded: with all session ids inserted, it still fits the header buffers of common proxies.
 */
export const maxWebUrlLength = 2_048;

const placeholder = '{CHECKOUT_SESSION_ID}';
const encodedPlaceholder = new RegExp(anyEncodingOf(placeholder, ''), 'g');
/** A URL inside the query of another is encoded twice or more: `%257B`. */
const everyPlaceholder = new RegExp(anyEncodingOf(placeholder, '(?:25)*'), 'g');

const controlCharacter = /\p{Cc}/u;

export type WebUrl = { readonly url: string } | { readonly wrong: string };

/** Parses input as a browser would. `wrong` completes a sentence that begins with the field's name. */
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

/** For stored URLs: the form that is safe in a header or a link, or null if there is none. */
export function safeWebUrl(text: string): string | null {
  const parsed = URL.parse(text);
  return parsed === null || whyNotSafe(parsed) !== null ? null : parsed.href;
}

/** An origin that is safe as a source in a content security policy. */
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

/** The URL parser allows host characters that have a meaning elsewhere: `;` and `*` in a content security policy. */
export function isPlainHost(hostname: string): boolean {
  if (/^\[[0-9a-f:.]+\]$/.test(hostname)) return true;
  const name = hostname.replace(/\.$/, '');
  return name.length <= 253 && name.split('.').every((label) => /^[a-z0-9_-]{1,63}$/.test(label));
}

/** A pattern for the text with any character percent-encoded, in either case of hexadecimal digits. */
function anyEncodingOf(text: string, afterPercent: string): string {
  return Array.from(text, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(2, '0');
    const digits = code.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
    return `(?:\\x${code}|%${afterPercent}${digits})`;
  }).join('');
}
