// Ids: a prefix for the kind, the time in milliseconds, and 100 random bits. Ids of one kind sort by time,
// so "newest first" is simply descending id, and new rows land at the end of an index.

export type IdPrefix =
  | 'pi'
  | 'cs'
  | 'evt'
  | 'we'
  | 'del'
  | 're'
  | 'acct'
  | 'key'
  | 'req'
  | 'op'
  | 'aud'
  | 'acq'
  | 'dp'
  | 'msg'
  | 'plink'
  | 'usr'
  | 'sess'
  | 'otl'
  | 'visit';

/** Returns `byteCount` unpredictable bytes. */
export type Random = (byteCount: number) => Uint8Array;

/** Crockford's base 32 in lower case: in ASCII order, without letters that look like digits. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const timeLength = 10;
const randomLength = 20;
const bodyPattern = new RegExp(`^[${alphabet}]{${timeLength + randomLength}}$`);

/** An integer as `length` digits, most significant first. */
export function base32(value: number, length: number): string {
  let digits = '';
  for (let rest = value; digits.length < length; rest = Math.floor(rest / 32))
    digits = alphabet.charAt(rest % 32) + digits;
  return digits;
}

/** Every pair of digits, indexed by its ten bits: an id is built in half as many steps. */
const pairs: readonly string[] = Array.from({ length: 1_024 }, (_, bits) => base32(bits, 2));

/** One digit per byte, five random bits each. */
export function base32Digits(bytes: Uint8Array): string {
  let digits = '';
  const even = bytes.length & ~1;
  for (let at = 0; at < even; at += 2) digits += pairs[(((bytes[at] ?? 0) & 31) << 5) | ((bytes[at + 1] ?? 0) & 31)];
  return even === bytes.length ? digits : digits + alphabet.charAt((bytes[even] ?? 0) & 31);
}

/** The time of the last id and its digits: under load, many ids are made in the same millisecond. */
let lastTime = Number.NaN;
let lastTimeDigits = '';

export function newId(prefix: IdPrefix, nowMs: number, random: Random): string {
  if (nowMs !== lastTime) {
    lastTime = nowMs;
    lastTimeDigits = base32(nowMs, timeLength);
  }
  return `${prefix}_${lastTimeDigits}${base32Digits(random(randomLength))}`;
}

/** Sorts before every id made at this time or later: the place to start reading from that time on. */
export function idBefore(prefix: IdPrefix, ms: number): string {
  return `${prefix}_${base32(Math.max(0, ms), timeLength)}${alphabet.charAt(0).repeat(randomLength)}`;
}

/** The value of each character as a digit; 0 for other characters. */
const digitValues = Uint8Array.from({ length: 128 }, (_, code) =>
  Math.max(0, alphabet.indexOf(String.fromCharCode(code))),
);

function numberIn(id: string, from: number, length: number): number {
  let value = 0;
  for (let at = from; at < from + length; at++) value = value * 32 + (digitValues[id.charCodeAt(at)] ?? 0);
  return value;
}

/** When a well-formed id was made, in milliseconds since 1970. */
export function timeOfId(id: string): number {
  return numberIn(id, id.indexOf('_') + 1, timeLength);
}

/** The first random digits of a well-formed id, as a number. */
export function idDigits(id: string, count: number): number {
  return numberIn(id, id.indexOf('_') + 1 + timeLength, count);
}

export function isId(prefix: IdPrefix, text: string): boolean {
  const bodyStart = prefix.length + 1;
  return text.startsWith(`${prefix}_`) && bodyPattern.test(text.slice(bodyStart));
}
