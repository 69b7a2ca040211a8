// When customers buy: little at night, most in the evening, more at weekends, slightly more from week to week.

import type { Sampler } from './sampler.ts';

const hourMs = 3_600_000;
const hoursPerDay = 24;
export const demoDays = 30;

/** By the hour of the day in UTC, for a shop whose customers are mostly in Europe. */
const hourWeights = [3, 2, 1, 1, 1, 2, 4, 7, 10, 12, 13, 14, 14, 13, 12, 13, 15, 18, 21, 22, 19, 14, 9, 5];
/** From Sunday to Saturday. */
const weekdayWeights = [1.25, 1, 0.95, 0.95, 1, 0.9, 1.15];
/** How much more is sold at the end of the month than at its beginning. */
const growth = 0.3;
/** No two days are the same. */
const dailyNoise = 0.2;

/** Exactly so many times in the thirty days before `until`, in order. They are made hour by hour, as they are needed. */
export function* purchaseTimes(until: number, count: number, sampler: Sampler): Generator<number> {
  const weights = hourlyWeights(until, sampler);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let reached = 0;
  let made = 0;
  for (const [hour, weight] of weights.entries()) {
    reached += weight;
    const isLast = hour === weights.length - 1;
    const wanted = (isLast ? count : Math.round((reached / total) * count)) - made;
    made += wanted;
    const start = until - (weights.length - hour) * hourMs;
    const offsets = Array.from({ length: wanted }, () => Math.floor(sampler.number() * hourMs));
    for (const offset of offsets.sort((a, b) => a - b)) yield start + offset;
  }
}

function hourlyWeights(until: number, sampler: Sampler): number[] {
  const hours = demoDays * hoursPerDay;
  const noise = Array.from({ length: demoDays + 1 }, () => 1 + dailyNoise * (2 * sampler.number() - 1));
  return Array.from({ length: hours }, (_, hour) => {
    const date = new Date(until - (hours - hour) * hourMs + hourMs / 2);
    const ofHour = hourWeights[date.getUTCHours()] ?? 1;
    const ofDay = weekdayWeights[date.getUTCDay()] ?? 1;
    const trend = 1 + (growth * hour) / hours;
    return ofHour * ofDay * trend * (noise[Math.floor(hour / hoursPerDay)] ?? 1);
  });
}
