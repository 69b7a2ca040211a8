// Masks the bodies of API requests before they are kept for developers: secrets, card data, and whatever may be personal.
// What remains shows which fields were sent, and the values that are neither.

import { scrub } from './scrub.ts';

/** Larger bodies are not parsed: they are only described by their size. */
export const maxParsedBytes = 65_536;
const maxKeptLength = 8_192;
const maxText = 500;
const maxEntries = 20;
const maxDepth = 12;

const secretNames = /secret|password|passphrase|token|credential|api_?key|authorization|cvc|cvv|card_?number/i;
const personalNames =
  /^(?:customer_)?(?:e_?mail|name|first_?name|last_?name|full_?name|phone|address|addresses|city|postal_?code|zip|street|line_?[123]|state|ip(?:_?address)?|birth_?date|tax_?id|iban|account_?(?:number|holder)|sort_?code)$/i;
/** Objects about a customer: all that is in them is personal. */
const personalObjects =
  /^(?:customer(?:_details)?|billing(?:_details)?|shipping(?:_details|_address)?|recipient|payer)$/i;
/** A name in one of these is that of a product or a business. */
const publicObjects = /^(?:line_items|merchant|prefill_fields)$/;
const mailAddresses = /[^\s@<>"',;:()[\]/?&=]{0,64}(?:@|%40)[^\s@<>"',;:()[\]/?&=]{1,190}/g;

/** The body as JSON with masked values; null if it is no JSON, or too large even after shortening. */
export function maskedBody(text: string): string | null {
  if (text === '' || text.length > maxParsedBytes) return null;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  const masked = JSON.stringify(maskedValue(parsed, '', false, 0));
  return masked.length > maxKeptLength ? null : masked;
}

/** The path with masked values in its query. */
export function maskedPath(path: string, query: URLSearchParams): string {
  const pairs = [...query].slice(0, maxEntries).map(([name, value]) => {
    const masked = isMasked(name) ? mask(name) : maskText(value);
    return `${maskText(name)}=${masked}`;
  });
  const shown = pairs.length === 0 ? maskText(path) : `${maskText(path)}?${pairs.join('&')}`;
  return storable(shown.slice(0, 2 * maxText));
}

/** PostgreSQL stores neither NUL nor half of a character, which a cut may leave. JSON has escapes for both. */
const storable = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed();

function maskedValue(value: unknown, name: string, isPublic: boolean, depth: number): unknown {
  if (depth > maxDepth) return '[…]';
  if (Array.isArray(value)) {
    const shown = value.slice(0, maxEntries).map((entry) => maskedValue(entry, name, isPublic, depth + 1));
    return value.length > maxEntries ? [...shown, `[${value.length - maxEntries} more]`] : shown;
  }
  if (typeof value === 'object' && value !== null) {
    return maskedFields(value as Readonly<Record<string, unknown>>, name, isPublic || publicObjects.test(name), depth);
  }
  if (typeof value === 'number') return maskNumber(value);
  return typeof value === 'string' ? maskText(value) : value;
}

/** A card number without quotes is still one. */
function maskNumber(value: number): number | string {
  if (Math.abs(value) < 1e11) return value;
  const text = String(value);
  const masked = scrub(text);
  return masked === text ? value : masked;
}

function maskedFields(
  fields: Readonly<Record<string, unknown>>,
  parent: string,
  isPublic: boolean,
  depth: number,
): Record<string, unknown> {
  const isWhollyMasked = parent === 'metadata' || personalObjects.test(parent);
  const entries = Object.entries(fields).map(([name, value]) => {
    const isHidden = isWhollyMasked || secretNames.test(name) || (!isPublic && personalNames.test(name));
    // Null and booleans say nothing about anybody.
    if (isHidden && value !== null && typeof value !== 'boolean')
      return [maskText(name), typeof value === 'object' ? hidden(value, depth + 1) : mask(name)];
    return [maskText(name), maskedValue(value, name, isPublic, depth + 1)];
  });
  return Object.fromEntries(entries.slice(0, 3 * maxEntries));
}

/** The same fields, all of them masked. */
function hidden(value: object, depth: number): unknown {
  if (Array.isArray(value)) return [`[${value.length} hidden]`];
  if (depth > maxDepth) return '[…]';
  const entries = Object.entries(value).map(([name, inner]: [string, unknown]) => {
    const isNested = typeof inner === 'object' && inner !== null;
    return [maskText(name), isNested ? hidden(inner, depth + 1) : inner === null ? null : mask(name)];
  });
  return Object.fromEntries(entries.slice(0, maxEntries));
}

const isMasked = (name: string): boolean => secretNames.test(name) || personalNames.test(name);

const mask = (name: string): string => (secretNames.test(name) ? '[secret]' : '[hidden]');

/** Words such as `requires_action`, currencies, our own ids and times: most of a body, and looking for secrets takes long. */
const harmless =
  /^(?!sk_|rk_|whsec|test_|live_)(?:[a-z]{1,20}(?:_[a-z]{1,20}){0,3}|[A-Z]{3}|(?:pi|cs|re|dp|evt|we|del|acct|key|req|plink)_[0-9a-z]{30}|\d{4}-\d\d-\d\dT[\d:.]{8,12}Z)$/;

/** What is longer is cut off after masking: half of a number or of an address would not be recognised. */
const longestMasked = 260;

function maskText(text: string): string {
  if (harmless.test(text)) return text;
  const examined = text.slice(0, maxText + longestMasked);
  const scrubbed = scrub(examined);
  const masked = /@|%40/.test(scrubbed) ? scrubbed.replace(mailAddresses, '[email]') : scrubbed;
  // The end of what was examined may be such a half.
  const whole = examined.length < text.length ? Math.max(0, masked.length - longestMasked) : masked.length;
  const shown = masked.slice(0, Math.min(maxText, whole));
  return shown.length < masked.length ? `${shown}…` : shown;
}
