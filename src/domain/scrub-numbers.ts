// Finds possible card numbers in text: 12 or more digits in any script, grouped or not, after anything. Times,
// addresses and our own ids are left alone.

import { canonicalAddress } from './client-network.ts';

const mask = '[number]';
const shortest = 12;
const longest = 19;

export function maskCardNumbers(text: string): string {
  if (!mayContainOne(text)) return text;
  let masked = '';
  let from = 0;
  for (const found of text.matchAll(known)) {
    if (!isKnown(found[0])) continue;
    masked += maskDigits(text.slice(from, found.index)) + found[0];
    from = found.index + found[0].length;
  }
  return masked + maskDigits(text.slice(from));
}

/** Most texts have too few digits, and counting them takes a tenth of the time. */
function mayContainOne(text: string): boolean {
  let digits = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // Other scripts have digits, too.
    if ((code >= 48 && code <= 57) || code > 127) digits += 1;
  }
  return digits >= shortest;
}

/** Dates with times, IPv4 with ports, UUIDs, and what might be IPv6. */
const known = new RegExp(
  [
    String.raw`(?<!\d)(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?!\d)(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?!\d))?`,
    String.raw`(?<![\d.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:[:/]\d{1,5})?(?![.:-]?\d)`,
    String.raw`(?<![\w-])[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}(?![\w-])`,
    String.raw`(?<![\w:.])[\da-f]{0,4}(?::[\da-f]{0,4}){2,7}(?![\w:])`,
  ].join('|'),
  'gi',
);

function isKnown(text: string): boolean {
  const mayBeIpv6 = /^[\da-f:]+$/i.test(text);
  return !mayBeIpv6 || canonicalAddress(text) !== null;
}

/** Groups of digits separated by a few characters that are neither letters nor digits. */
const runs = /\p{Nd}+(?:(?:%[0-9a-f]{2}|[^\p{L}\p{Nd}]){1,4}\p{Nd}+)*/giu;
const parts = /%[0-9a-f]{2}(?=\p{Nd}|%)|\p{Nd}+/giu;

interface Group {
  readonly start: number;
  readonly end: number;
  readonly digits: readonly number[];
}

function maskDigits(text: string): string {
  return text.replace(runs, (run) => (run.length < shortest ? run : maskRun(run)));
}

function maskRun(run: string): string {
  const groups: Group[] = [...run.matchAll(parts)]
    .filter(([part]) => !part.startsWith('%'))
    .map(({ 0: part, index }) => ({ start: index, end: index + part.length, digits: [...part].map(digitValue) }));
  let masked = '';
  let from = 0;
  for (let at = 0; at < groups.length; ) {
    const last = lastOfNumber(run, groups, at);
    if (last === null) {
      at += 1;
      continue;
    }
    masked += run.slice(from, groups[at]?.start) + mask;
    from = groups[last]?.end ?? run.length;
    at = last + 1;
  }
  return masked + run.slice(from);
}

/** The last group of the number that begins with group `first`; null if no number begins there. */
function lastOfNumber(run: string, groups: readonly Group[], first: number): number | null {
  const alone = groups[first]?.digits ?? [];
  if (alone.length >= shortest) return isTimeInMs(alone) ? null : first;
  const digits: number[] = [];
  let found: number | null = null;
  for (let at = first; at < groups.length; at += 1) {
    digits.push(...(groups[at]?.digits ?? []));
    if (digits.length > longest) break;
    if (digits.length >= shortest && (passesLuhn(digits) || isGroupedLikeACard(run, groups.slice(first, at + 1))))
      found = at;
  }
  return found;
}

/** Milliseconds since 1970, from 2001 to 2286. Cards of 13 digits begin with a 4. */
function isTimeInMs(digits: readonly number[]): boolean {
  return digits.length === 13 && digits[0] === 1;
}

/** The check digit of card numbers (ISO/IEC 7812). */
function passesLuhn(digits: readonly number[]): boolean {
  let sum = 0;
  for (const [at, digit] of digits.toReversed().entries()) {
    const doubled = digit * 2;
    sum += at % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum > 0 && sum % 10 === 0;
}

/** Grouped as on a printed card: even a mistyped number is close enough to a real one to be masked. */
function isGroupedLikeACard(run: string, groups: readonly Group[]): boolean {
  const lengths = groups.map(({ digits }) => digits.length).join(' ');
  if (!/^4 4 4 [1-4]$|^4 4 4 4 [1-3]$|^4 6 [45]$/.test(lengths)) return false;
  return groups.slice(1).every(({ start }, at) => /^[\s._/+%\d-]*$/.test(run.slice(groups[at]?.end, start)));
}

const isDigit = /^\p{Nd}$/u;

/** The digits of each script are consecutive code points from 0 to 9. */
function digitValue(character: string): number {
  const plain = character.normalize('NFKC');
  if (plain >= '0' && plain <= '9') return Number(plain);
  const code = character.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && isDigit.test(String.fromCodePoint(code - value - 1))) value += 1;
  return value;
}
