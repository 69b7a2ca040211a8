// Sending without a network or a clock: events arrive at endpoints, endpoints take their time, the lanes decide. What
// would take minutes is over at once, and is the same every time.

import type { AttemptResult } from '../../src/webhooks/congestion.ts';
import { lanes, type Slot } from '../../src/webhooks/lanes.ts';

export interface SimulatedEndpoint {
  readonly eventsPerSecond: number;
  /** Whole seconds; by default for as long as the simulation. */
  readonly until?: number;
  /** What becomes of an attempt that begins then, as the so-manieth of this endpoint with so many in flight. */
  answer(at: { readonly ms: number; readonly number: number; readonly inFlight: number }): AttemptResult;
}

export interface SimulatedOutcome {
  /** From an event to the begin of its attempt, sorted, in milliseconds, of events from that second on. */
  waitsMs(fromSecond?: number): number[];
  /** Waiting for their first attempt at the end of each second. */
  readonly queued: readonly number[];
  readonly mostInFlight: number;
  readonly failed: number;
}

const deadlineMs = 10_000;
const watchEveryMs = 100;
const recordMs = 2;

/** Takes longer than an attempt may. */
export const hangs: AttemptResult = { ok: false, durationMs: deadlineMs };
export const okAfter = (durationMs: number): AttemptResult => ({ ok: true, durationMs });
export const failsAfter = (durationMs: number): AttemptResult => ({ ok: false, durationMs });

export function simulate(endpoints: readonly SimulatedEndpoint[], seconds: number): SimulatedOutcome[] {
  const lane = lanes();
  const sides = endpoints.map((endpoint) => ({
    ...endpoint,
    queue: [] as number[],
    waits: [] as { arrivedAt: number; waitedMs: number }[],
    queued: [] as number[],
    begun: 0,
    inFlight: 0,
    mostInFlight: 0,
    failed: 0,
    arrived: 0,
  }));
  const running: { slot: Slot; side: (typeof sides)[number]; startedAt: number; result: AttemptResult }[] = [];
  const endings = new Map<number, typeof running>();
  const sideOf = (id: string) => {
    const side = sides[Number(id)];
    if (side === undefined) throw new Error(`there is no endpoint ${id}`);
    return side;
  };

  for (let ms = 0; ms < seconds * 1000; ms += 1) {
    for (const [id, side] of sides.entries()) {
      const { eventsPerSecond, until = seconds } = side;
      if (ms >= until * 1000 || side.arrived > (ms / 1000) * eventsPerSecond) continue;
      side.arrived += 1;
      side.queue.push(ms);
      lane.ready(String(id));
    }
    for (const ending of endings.get(ms) ?? []) {
      ending.side.inFlight -= 1;
      if (!ending.result.ok) ending.side.failed += 1;
      running.splice(running.indexOf(ending), 1);
      lane.ended(ending.slot, ending.result);
    }
    endings.delete(ms);
    if (ms % watchEveryMs === 0) for (const { slot, startedAt } of running) lane.waited(slot, ms - startedAt);
    for (let turns = lane.take(); turns.length > 0; turns = lane.take()) {
      for (const turn of turns) {
        const side = sideOf(turn.endpointId);
        const found = side.queue.splice(0, turn.limit);
        for (const [at, slot] of lane.claimed(turn, found.length).entries()) {
          const arrivedAt = found[at] ?? ms;
          side.begun += 1;
          side.inFlight += 1;
          side.mostInFlight = Math.max(side.mostInFlight, side.inFlight);
          side.waits.push({ arrivedAt, waitedMs: ms - arrivedAt });
          const given = side.answer({ ms, number: side.begun, inFlight: side.inFlight });
          const result = given.durationMs >= deadlineMs ? hangs : given;
          const one = { slot, side, startedAt: ms, result };
          running.push(one);
          const endsAt = ms + Math.max(1, Math.round(result.durationMs)) + recordMs;
          endings.set(endsAt, [...(endings.get(endsAt) ?? []), one]);
        }
      }
    }
    if (ms % 1000 === 999) for (const side of sides) side.queued.push(side.queue.length);
  }
  return sides.map(({ waits, queued, mostInFlight, failed }) => ({
    waitsMs: (fromSecond = 0) =>
      waits
        .filter(({ arrivedAt }) => arrivedAt >= fromSecond * 1000)
        .map(({ waitedMs }) => waitedMs)
        .sort((a, b) => a - b),
    queued,
    mostInFlight,
    failed,
  }));
}

export function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
