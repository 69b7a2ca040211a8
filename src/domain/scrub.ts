// Removes secrets and card numbers from text before it is logged or stored. This is the second line of defence: the
// first is never to pass them on, but an error may quote its input.

import { maskCardNumbers } from './scrub-numbers.ts';

/** Longer texts are truncated: nobody reads them, and scanning them would block the event loop. */
const maxLength = 16_384;

export function scrub(text: string): string {
  return maskCardNumbers(maskCodes(maskCredentials(shortened(text))));
}

function shortened(text: string): string {
  if (text.length <= maxLength) return text;
  // Not in the middle of a number, because half of one would not be recognised.
  const kept = text.slice(0, maxLength).replace(/[^\p{L}]{1,40}$/u, '');
  return `${kept}… (${text.length - kept.length} more characters)`;
}

const mask = '[secret]';

/**
 * API keys, webhook secrets and client secrets, in plain text or at the beginning of Basic credentials. Inside a word,
 * only complete ones match: a database may be called paydesk_test_orders.
 */
const ownSecrets =
  /(?<![a-z])sk_(?:test|live)_[0-9a-z]{2,}|sk_(?:test|live)_[0-9a-z]{20,}|whsec_[\w+/=-]{2,}|_secret_[0-9A-Za-z]{16,}|\bc2tf(?:dGVzd|bGl2Z)[\w+/=-]{8,}/gi;

/** Keys of Stripe with restricted permissions, and of Mollie. Its unrestricted keys look like ours. */
const keysOfProviders = /(?<![a-z])rk_(?:test|live)_[0-9a-z]{2,}|(?<![0-9a-z_])(?:test|live)_[0-9a-z]{24,}/gi;

/** The password may contain anything but spaces: `/`, `@`, `:`, quotes. The length is bounded to keep matching fast. */
const urlPasswords = /:\/\/([^\s:/@"'`<>]{0,256}):([^\s"'`<>]{0,512})@/g;
const urlPasswordsWithQuotes = /:\/\/([^\s:/@]{0,256}):([^\s@]{0,512})@/g;
const urlTokens = /:\/\/[^\s:/@?#"'`<>[\]]{1,512}@/g;
/** A placeholder as in help texts, or already masked. */
const placeholder = /^(?:user:password|.*:(?:…|\[secret\]))$/;

const schemes = /\b(basic|bearer|digest|token)(\s+|%20|\+)([\w+/.~=-]+)(?![\w…])/gi;
const authorizations = /(authorization["'\\\]]*\s*[:=]\s*["'\\]*(?:[a-z]+\s+)?)([^\s"'\\,;…]+)(?![\w…]|\s+sk_\w+…)/gi;
const passwords = /((?:password|passwd|passphrase|pwd)["'\\\]]*\s*(?:[:=]|=>|%3d)\s*["'\\]*)([^\s"'\\&,;]+)/gi;
const named = /((?:secret|token|api[_-]?key|secret_key)["'\\\]]*(?:[:=]|=>|%3d|:\s+)["'\\]*)([^\s"'\\&,;]+)/gi;

/** What every kind of credentials contains, except for those in URLs: one search instead of many. */
const mayContainCredentials =
  /sk_|rk_|test_|live_|whsec_|_secret_|c2tf|basic|bearer|digest|token|authorization|pass|pwd|secret|api/i;

function maskCredentials(text: string): string {
  const maskUrl = (whole: string, user: string, password: string): string =>
    placeholder.test(`${user}:${password}`) ? whole : `://${user}:${mask}@`;
  const inUrls = text.includes('://') && text.includes('@');
  if (!inUrls && !mayContainCredentials.test(text)) return text;
  const withoutKeys = text.replace(ownSecrets, mask).replace(keysOfProviders, mask);
  const withoutUrls = inUrls
    ? withoutKeys
        .replace(urlPasswords, maskUrl)
        .replace(urlPasswordsWithQuotes, maskUrl)
        .replace(urlTokens, `://${mask}@`)
    : withoutKeys;
  return withoutUrls
    .replace(authorizations, `$1${mask}`)
    .replace(schemes, (whole, scheme: string, space: string, value: string) =>
      isWord(value) && !isBasicPair(value) ? whole : `${scheme}${space}${mask}`,
    )
    .replace(passwords, `$1${mask}`)
    .replace(named, (whole, before: string, value: string) => (isWord(value) || value === '…' ? whole : before + mask));
}

/** An ordinary word rather than credentials, as in "HTTP Basic authentication". */
function isWord(text: string): boolean {
  return /^(?:[A-Z]?[a-z]+|[A-Z]+|[._-]+)[.:]?$/.test(text) && text.length < 20;
}

/** `user:password` in base64. */
function isBasicPair(text: string): boolean {
  return /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(Buffer.from(text, 'base64').toString('latin1'));
}

/** A card's security code, recognised by its label. */
const codes =
  /((?:cvc|cvv|csc|cvn|security[ _-]?code)2?(?:%[0-9a-f]{2}|[^\p{L}\p{Nd}]|\s(?:is|was|code|number)\s){1,12})\p{Nd}{3,4}(?!\p{Nd})/giu;

function maskCodes(text: string): string {
  return text.replace(codes, `$1${mask}`);
}
