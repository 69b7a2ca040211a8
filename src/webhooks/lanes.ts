// Fairness: who may send how much. Every endpoint has a lane of its own with a bounded number of attempts in flight,
// lanes take turns, and those in trouble share a part of all slots, so that however many hang, the others go on.

import { maxClaimedAtOnce } from '../domain/delivery.ts';

export interface LaneLimits {
  /** Attempts in flight to one endpoint: at first and when in trouble, and at most. */
  readonly firstPerLane: number;
  readonly mostPerLane: number;
  /** Attempts in flight altogether, and of these to endpoints in trouble. */
  readonly total: number;
  readonly troubled: number;
  /** Taken on in one go. */
  readonly batch: number;
}

export const laneLimits: LaneLimits = {
  firstPerLane: 4,
  mostPerLane: 32,
  total: 1_024,
  troubled: 512,
  batch: maxClaimedAtOnce,
};

/** Lanes that are remembered; beyond that, idle ones begin anew. */
const maxLanes = 10_000;
/** Lanes that wait for a turn; the others are found again later. */
const maxReady = 5_000;

interface Lane {
  inFlight: number;
  /** Grows with every success, as far as the limit; a failure takes it back. */
  cap: number;
  /** The last attempt failed, or one is taking long. */
  troubled: boolean;
}

export interface Wanted {
  readonly endpointId: string;
  readonly limit: number;
}

export interface Lanes {
  /** The endpoint may have something to send. */
  ready(endpointId: string): void;
  /** Whether that many lanes are ready that no more need be looked for. */
  isFull(): boolean;
  /** Whose turn it is, and for how many at most. These count as in flight until `claimed` tells how many there were. */
  take(): Wanted[];
  claimed(wanted: Wanted, count: number): void;
  ended(endpointId: string, succeeded: boolean): void;
  /** An attempt takes long: the lane is in trouble before it is known to have failed. */
  slow(endpointId: string): void;
  inFlight(): number;
}

export function lanes(limits: LaneLimits = laneLimits): Lanes {
  const byEndpoint = new Map<string, Lane>();
  /** Those that may have something due, in the order of their turns. */
  const ready = new Set<string>();
  let healthyInFlight = 0;
  let troubledInFlight = 0;

  function laneOf(endpointId: string): Lane {
    let lane = byEndpoint.get(endpointId);
    if (lane === undefined) {
      if (byEndpoint.size >= maxLanes) forgetOne();
      lane = { inFlight: 0, cap: limits.firstPerLane, troubled: false };
      byEndpoint.set(endpointId, lane);
    }
    return lane;
  }
  function forgetOne(): void {
    const idle = byEndpoint.entries().find(([id, { inFlight }]) => inFlight === 0 && !ready.has(id));
    if (idle !== undefined) byEndpoint.delete(idle[0]);
  }
  function count(lane: Lane, change: number): void {
    lane.inFlight += change;
    if (lane.troubled) troubledInFlight += change;
    else healthyInFlight += change;
  }
  function setTroubled(lane: Lane, troubled: boolean): void {
    if (lane.troubled === troubled) return;
    const { inFlight } = lane;
    count(lane, -inFlight);
    lane.troubled = troubled;
    count(lane, inFlight);
  }
  function roomFor(lane: Lane): number {
    const left = limits.total - troubledInFlight - healthyInFlight;
    const shared = lane.troubled ? Math.min(left, limits.troubled - troubledInFlight) : left;
    return Math.min(lane.cap - lane.inFlight, shared);
  }

  return {
    ready: (endpointId) => ready.add(endpointId),
    isFull: () => ready.size >= maxReady,
    take() {
      const turns: Wanted[] = [];
      let left = limits.batch;
      for (const endpointId of ready) {
        const lane = laneOf(endpointId);
        const limit = Math.min(roomFor(lane), left);
        if (limit <= 0) continue;
        left -= limit;
        count(lane, limit);
        ready.delete(endpointId);
        turns.push({ endpointId, limit });
        if (left === 0) break;
      }
      return turns;
    },
    claimed({ endpointId, limit }, found) {
      const lane = laneOf(endpointId);
      count(lane, found - limit);
      // There may be more; its next turn comes after the others'.
      if (found === limit) ready.add(endpointId);
      else if (lane.inFlight === 0 && !lane.troubled) byEndpoint.delete(endpointId);
    },
    ended(endpointId, succeeded) {
      const lane = laneOf(endpointId);
      count(lane, -1);
      setTroubled(lane, !succeeded);
      lane.cap = succeeded ? Math.min(lane.cap + 1, limits.mostPerLane) : limits.firstPerLane;
    },
    slow: (endpointId) => setTroubled(laneOf(endpointId), true),
    inFlight: () => healthyInFlight + troubledInFlight,
  };
}
