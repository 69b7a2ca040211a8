// Fairness: who may send how much. Every endpoint has a lane of its own with a bounded number of attempts in flight.
// Lanes take turns, and those of one pace share a pool: what hangs can fill the pool of those that hang, and no other.

import { maxClaimedAtOnce } from '../domain/delivery.ts';

/** `fresh`: nothing is known of it. `slow`: an attempt took long, whatever came of it. */
const paces = ['fast', 'fresh', 'slow'] as const;
type Pace = (typeof paces)[number];

export interface LaneLimits {
  /** Attempts in flight to one endpoint; a lane begins with one. */
  readonly perLane: number;
  /** Attempts in flight to all lanes of a pace, when one more is to begin. */
  readonly pools: Readonly<Record<Pace, number>>;
  /** Attempts in flight altogether. More than the pools together: lanes that become slow bring theirs along. */
  readonly total: number;
  /** Attempts in flight altogether, beyond which no unknown lane is tried: each of them may be one more that hangs. */
  readonly freshBelow: number;
  /** Taken on in one go. */
  readonly batch: number;
}

export const laneLimits: LaneLimits = {
  perLane: 32,
  pools: { fast: 1_024, fresh: 1_024, slow: 512 },
  total: 4_096,
  freshBelow: 2_048,
  batch: maxClaimedAtOnce,
};

/** Lanes that are remembered; beyond that, idle ones begin anew. */
const maxLanes = 20_000;
/** Lanes of one pace that wait for a turn; the others are found again later. */
const maxReady = 10_000;
/** A slow lane is fast again after so many quick attempts in a row: one that hangs now and then stays where it is. */
const quickToBeFast = 3;

interface Lane {
  pace: Pace;
  inFlight: number;
  /** Grows with every quick attempt, as far as the limit; a slow one takes it back to one. */
  cap: number;
  quickInARow: number;
}

export interface Wanted {
  readonly endpointId: string;
  readonly limit: number;
}

export interface Lanes {
  /** The endpoint may have something to send. */
  ready(endpointId: string): void;
  /** Whose turn it is, and for how many at most. These count as in flight until `claimed` tells how many there were. */
  take(): Wanted[];
  claimed(wanted: Wanted, count: number): void;
  /** `quick`: it did not take long. What the endpoint answered does not matter: a refusal holds no slot. */
  ended(endpointId: string, quick: boolean): void;
  /** An attempt in flight is taking long. */
  slow(endpointId: string): void;
  inFlight(): number;
}

export function lanes(limits: LaneLimits = laneLimits): Lanes {
  const byEndpoint = new Map<string, Lane>();
  /** Those that may have something due, in the order of their turns. */
  const waiting: Readonly<Record<Pace, Set<string>>> = { fast: new Set(), fresh: new Set(), slow: new Set() };
  const inFlight: Record<Pace, number> = { fast: 0, fresh: 0, slow: 0 };
  let nextPace = 0;

  function laneOf(endpointId: string): Lane {
    let lane = byEndpoint.get(endpointId);
    if (lane === undefined) {
      if (byEndpoint.size >= maxLanes) forgetOne();
      lane = { pace: 'fresh', inFlight: 0, cap: 1, quickInARow: 0 };
      byEndpoint.set(endpointId, lane);
    }
    return lane;
  }
  function forgetOne(): void {
    const idle = byEndpoint.entries().find(([id, lane]) => lane.inFlight === 0 && !waiting[lane.pace].has(id));
    if (idle !== undefined) byEndpoint.delete(idle[0]);
  }
  function count(lane: Lane, change: number): void {
    lane.inFlight += change;
    inFlight[lane.pace] += change;
  }
  function setPace(endpointId: string, lane: Lane, pace: Pace): void {
    if (lane.pace === pace) return;
    inFlight[lane.pace] -= lane.inFlight;
    inFlight[pace] += lane.inFlight;
    if (waiting[lane.pace].delete(endpointId)) waiting[pace].add(endpointId);
    lane.pace = pace;
  }
  function becomeSlow(endpointId: string, lane: Lane): void {
    lane.cap = 1;
    lane.quickInARow = 0;
    setPace(endpointId, lane, 'slow');
  }
  const total = (): number => inFlight.fast + inFlight.fresh + inFlight.slow;
  const roomIn = (pace: Pace): number =>
    Math.min(limits.pools[pace] - inFlight[pace], (pace === 'fresh' ? limits.freshBelow : limits.total) - total());

  function takeFrom(pace: Pace, most: number): Wanted[] {
    const turns: Wanted[] = [];
    let left = Math.min(most, roomIn(pace));
    for (const endpointId of left > 0 ? waiting[pace] : []) {
      const lane = laneOf(endpointId);
      const limit = Math.min(lane.cap - lane.inFlight, left);
      if (limit <= 0) continue;
      left -= limit;
      count(lane, limit);
      waiting[pace].delete(endpointId);
      turns.push({ endpointId, limit });
      if (left === 0) break;
    }
    return turns;
  }

  return {
    ready(endpointId) {
      const set = waiting[byEndpoint.get(endpointId)?.pace ?? 'fresh'];
      if (set.size < maxReady) set.add(endpointId);
    },
    take() {
      const turns: Wanted[] = [];
      let left = limits.batch;
      // Each pace goes first in its turn, so that a batch that one of them fills keeps none of the others waiting.
      nextPace = (nextPace + 1) % paces.length;
      for (const pace of [...paces.slice(nextPace), ...paces.slice(0, nextPace)]) {
        const taken = takeFrom(pace, left);
        for (const { limit } of taken) left -= limit;
        turns.push(...taken);
      }
      return turns;
    },
    claimed({ endpointId, limit }, found) {
      const lane = laneOf(endpointId);
      count(lane, found - limit);
      // There may be more; its next turn comes after the others'.
      if (found === limit) waiting[lane.pace].add(endpointId);
      else if (lane.inFlight === 0 && lane.pace === 'fresh') byEndpoint.delete(endpointId);
    },
    ended(endpointId, quick) {
      const lane = laneOf(endpointId);
      count(lane, -1);
      if (!quick) {
        becomeSlow(endpointId, lane);
        return;
      }
      lane.quickInARow += 1;
      lane.cap = Math.min(lane.cap + 1, lane.pace === 'slow' ? quickToBeFast : limits.perLane);
      if (lane.pace === 'fresh' || lane.quickInARow >= quickToBeFast) setPace(endpointId, lane, 'fast');
    },
    slow: (endpointId) => becomeSlow(endpointId, laneOf(endpointId)),
    inFlight: total,
  };
}
