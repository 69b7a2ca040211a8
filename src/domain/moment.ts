// The time of a decision, and a source of new ids. Rules get a moment instead of reading a clock or a random source.

import { type IdPrefix, newId, type Random } from './ids.ts';

export interface Moment {
  /** Milliseconds since 1970, UTC. */
  readonly now: number;
  newId(prefix: IdPrefix): string;
}

export function momentAt(now: number, random: Random): Moment {
  return { now, newId: (prefix) => newId(prefix, now, random) };
}

const dayMs = 86_400_000;
const digits = (length: number) =>
  Array.from({ length: 10 ** length }, (_, value) => String(value).padStart(length, '0'));
const two = digits(2);
const three = digits(3);
let lastDay = Number.NaN;
let lastDate = '';

/**
 * ISO 8601 in UTC with milliseconds, the format of every time that leaves the service. Caches the last date, because
 * successive times are mostly of the same day: this takes a third of the time of `toISOString`.
 */
export function isoTime(ms: number): string {
  const day = Math.floor(ms / dayMs);
  if (day !== lastDay) {
    lastDate = new Date(day * dayMs).toISOString().slice(0, 11);
    lastDay = day;
  }
  const time = ms - day * dayMs;
  const hours = Math.floor(time / 3_600_000);
  const minutes = Math.floor(time / 60_000) % 60;
  const seconds = Math.floor(time / 1_000) % 60;
  // Joined rather than concatenated: V8's fast path for JSON needs flat strings. It takes 1.2 µs for a payment intent,
  // 2.6 µs otherwise.
  return [lastDate, two[hours], ':', two[minutes], ':', two[seconds], '.', three[time % 1_000], 'Z'].join('');
}

/** Milliseconds since 1970, or null if the text is not a time. A time zone is required. */
export function readTime(text: string): number | null {
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const ms = isTime ? Date.parse(text) : Number.NaN;
  // 30 February is parsed as 2 March.
  const day = text.slice(0, 10);
  const isDay = !Number.isNaN(ms) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
  return isDay ? ms : null;
}

export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
}
