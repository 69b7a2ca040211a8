// Deals a course to each purchase, so that the shares are exact and even a few dozen purchases have every kind of outcome.

import type { Course } from './courses.ts';
import { type Sampler, sampler } from './sampler.ts';

/** Of the last purchases, the very last first: there is something to wait for, to capture and to respond to. */
const lastCourses = ['abandoned', 'captured', 'left at a challenge', 'dispute lost'];

/** Returns the course of each purchase by its number. It takes one byte for each purchase. */
export function dealCourses(courses: readonly Course[], purchases: number, seed: number): (purchase: number) => Course {
  const deck = new Uint8Array(purchases);
  const random = sampler(seed, -1);
  // With fewer, one of each would be too much.
  if (purchases < 2 * courses.length) {
    const byShare = courses.map(({ share }, index) => [index, share] as const);
    for (const purchase of deck.keys()) deck[purchase] = random.weighted(byShare);
  } else {
    let filled = 0;
    for (const [index, count] of countsOf(courses, purchases).entries()) {
      deck.fill(index, filled, filled + count);
      filled += count;
    }
    shuffle(deck, random);
    for (const [place, name] of lastCourses.entries()) {
      const found = deck.findIndex((index) => courses[index]?.name === name);
      if (found >= 0) swap(deck, found, purchases - 1 - place);
    }
  }
  return (purchase) => {
    const course = courses[deck[purchase] ?? 0];
    if (course === undefined) throw new RangeError(`purchase ${purchase} has no course`);
    return course;
  };
}

/** Rounded down, but at least one of each; the most frequent course gets what is left. */
function countsOf(courses: readonly Course[], purchases: number): number[] {
  const total = courses.reduce((sum, { share }) => sum + share, 0);
  const counts = courses.map(({ share }) => Math.max(1, Math.floor((purchases * share) / total)));
  const most = counts.indexOf(Math.max(...counts));
  const others = counts.reduce((sum, count, index) => (index === most ? sum : sum + count), 0);
  counts[most] = Math.max(0, purchases - others);
  return counts;
}

function shuffle(deck: Uint8Array, random: Sampler): void {
  for (let last = deck.length - 1; last > 0; last--) swap(deck, last, random.integer(0, last));
}

function swap(deck: Uint8Array, one: number, other: number): void {
  const kept = deck[one] ?? 0;
  deck[one] = deck[other] ?? 0;
  deck[other] = kept;
}
