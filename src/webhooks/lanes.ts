// Fairness between endpoints. Every endpoint has its own lane with a bounded number of attempts in flight
// (`congestion.ts`). Lanes take turns, and lanes of one kind share a pool: hanging endpoints can fill only the pool of
// those that hang.

import { maxClaimedAtOnce } from '../domain/delivery.ts';
import {
  type Attempt,
  type AttemptResult,
  allowedInFlight,
  becameOverdue,
  begin,
  type Congestion,
  ended,
  newCongestion,
  patienceMs,
} from './congestion.ts';

/**
 * `fresh`: nothing is known about it. `slow`: it responds, but takes long. `stuck`: its last attempts hung. An overdue
 * attempt counts as `stuck`, whatever its endpoint is.
 */
const pools = ['fast', 'slow', 'fresh', 'stuck'] as const;
type Pool = (typeof pools)[number];

export interface LaneLimits {
  /** Attempts in flight to one endpoint that are not overdue. Including overdue ones, it may be twice as many. */
  readonly perLane: number;
  /** Attempts in flight in a pool, when another is to begin. */
  readonly pools: Readonly<Record<Pool, number>>;
  /**
   * Attempts in flight in total, when another in that pool is to begin: the less is known about an endpoint, the more is
   * left for others. This exceeds the sum of the pools, since more attempts can become overdue than may begin.
   */
  readonly total: Readonly<Record<Pool, number>>;
  /** Claimed at a time. */
  readonly batch: number;
}

export const laneLimits: LaneLimits = {
  perLane: 128,
  pools: { fast: 1_024, slow: 3_072, fresh: 1_024, stuck: 512 },
  total: { fast: 6_144, slow: 5_120, fresh: 4_096, stuck: 4_096 },
  batch: maxClaimedAtOnce,
};

/** The number of lanes kept in memory; beyond that, idle ones start over. */
const maxLanes = 20_000;
/** Lanes of one pool that may wait for a turn; the others are found again later. */
const maxReady = 10_000;

interface Lane {
  readonly endpointId: string;
  readonly congestion: Congestion;
  pool: Pool;
  inFlight: number;
  /** How many of those in flight are overdue. */
  overdue: number;
}

export interface Wanted {
  readonly endpointId: string;
  readonly limit: number;
}

export interface Slot {
  readonly lane: Lane;
  readonly attempt: Attempt;
}

export interface Lanes {
  /** The endpoint may have due deliveries. */
  ready(endpointId: string): void;
  /** Whose turn it is, and the maximum for each. These count as in flight until `claimed` reports the actual number. */
  take(): Wanted[];
  /** Returns one slot for each attempt that begins now. */
  claimed(wanted: Wanted, count: number): Slot[];
  /** The attempt has been in flight for `ms`. */
  waited(slot: Slot, ms: number): void;
  /** `result` is null if nothing can be learned from it. */
  ended(slot: Slot, result: AttemptResult | null): void;
  inFlight(): number;
}

export function lanes(limits: LaneLimits = laneLimits): Lanes {
  const byEndpoint = new Map<string, Lane>();
  /** Lanes that may have due deliveries, in the order of their turns. */
  const waiting: Readonly<Record<Pool, Set<string>>> = {
    fast: new Set(),
    slow: new Set(),
    fresh: new Set(),
    stuck: new Set(),
  };
  const inFlight: Record<Pool, number> = { fast: 0, slow: 0, fresh: 0, stuck: 0 };
  let nextPool = 0;

  function laneOf(endpointId: string): Lane {
    let lane = byEndpoint.get(endpointId);
    if (lane === undefined) {
      if (byEndpoint.size >= maxLanes) forgetIdleLane();
      lane = { endpointId, congestion: newCongestion(), pool: 'fresh', inFlight: 0, overdue: 0 };
      byEndpoint.set(endpointId, lane);
    }
    return lane;
  }
  function forgetIdleLane(): void {
    const idle = byEndpoint.entries().find(([id, lane]) => lane.inFlight === 0 && !waiting[lane.pool].has(id));
    if (idle !== undefined) byEndpoint.delete(idle[0]);
  }
  function count(lane: Lane, change: number): void {
    lane.inFlight += change;
    inFlight[lane.pool] += change;
  }
  /** The first overdue attempt does not move a responding endpoint to `stuck`, unless very many are in flight. */
  function poolFor({ usualMs, doubts, isSlow }: Congestion): Pool {
    if (usualMs === null) return doubts > 0 ? 'stuck' : 'fresh';
    if (doubts > 1 || (doubts === 1 && total() >= limits.total.stuck)) return 'stuck';
    return isSlow ? 'slow' : 'fast';
  }
  function updatePool(lane: Lane): void {
    const pool = poolFor(lane.congestion);
    if (lane.pool === pool) return;
    const moving = lane.inFlight - lane.overdue;
    inFlight[lane.pool] -= moving;
    inFlight[pool] += moving;
    if (waiting[lane.pool].delete(lane.endpointId)) waiting[pool].add(lane.endpointId);
    lane.pool = pool;
  }
  const total = (): number => inFlight.fast + inFlight.slow + inFlight.fresh + inFlight.stuck;
  const poolCapacity = (pool: Pool): number =>
    Math.min(limits.pools[pool] - inFlight[pool], limits.total[pool] - total());

  function laneCapacity(lane: Lane): number {
    const atOnce = lane.overdue > limits.perLane / 2 ? 1 : allowedInFlight(lane.congestion);
    return Math.min(atOnce - (lane.inFlight - lane.overdue), 2 * limits.perLane - lane.inFlight);
  }

  function takeFrom(pool: Pool, most: number): Wanted[] {
    const turns: Wanted[] = [];
    let left = Math.min(most, poolCapacity(pool));
    for (const endpointId of left > 0 ? waiting[pool] : []) {
      const lane = laneOf(endpointId);
      const limit = Math.min(laneCapacity(lane), left);
      if (limit <= 0) continue;
      left -= limit;
      count(lane, limit);
      waiting[pool].delete(endpointId);
      turns.push({ endpointId, limit });
      if (left === 0) break;
    }
    return turns;
  }

  return {
    ready(endpointId) {
      const set = waiting[byEndpoint.get(endpointId)?.pool ?? 'fresh'];
      if (set.size < maxReady) set.add(endpointId);
    },
    take() {
      const turns: Wanted[] = [];
      let left = limits.batch;
      // Pools take turns at going first, so that a pool that fills a whole batch does not block the others.
      nextPool = (nextPool + 1) % pools.length;
      for (const pool of [...pools.slice(nextPool), ...pools.slice(0, nextPool)]) {
        const taken = takeFrom(pool, left);
        for (const { limit } of taken) left -= limit;
        turns.push(...taken);
      }
      return turns;
    },
    claimed({ endpointId, limit }, found) {
      const lane = laneOf(endpointId);
      const before = lane.inFlight - lane.overdue - limit;
      count(lane, found - limit);
      // There may be more; the lane goes to the end of the queue.
      if (found === limit) waiting[lane.pool].add(endpointId);
      else if (lane.inFlight === 0 && lane.pool === 'fresh') byEndpoint.delete(endpointId);
      return Array.from({ length: found }, (_, at) => ({
        lane,
        attempt: begin(lane.congestion, before + at + 1),
      }));
    },
    waited({ lane, attempt }, ms) {
      if (attempt.overdue || ms < patienceMs(lane.congestion)) return;
      inFlight[lane.pool] -= 1;
      inFlight.stuck += 1;
      lane.overdue += 1;
      becameOverdue(lane.congestion, attempt);
      updatePool(lane);
    },
    ended({ lane, attempt }, result) {
      const atOnce = lane.inFlight - lane.overdue;
      if (attempt.overdue) {
        lane.inFlight -= 1;
        lane.overdue -= 1;
        inFlight.stuck -= 1;
      } else {
        count(lane, -1);
      }
      if (result !== null) ended(lane.congestion, attempt, result, { maxCap: limits.perLane, atOnce });
      updatePool(lane);
    },
    inFlight: total,
  };
}
