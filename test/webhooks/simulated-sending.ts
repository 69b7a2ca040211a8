// Sending without a network or a clock: events arrive for endpoints, endpoints take their time, the lanes decide. What
// would take minutes is done at once, and is the same every time.

import type { AttemptResult } from '../../src/webhooks/congestion.ts';
import { lanes, type Slot } from '../../src/webhooks/lanes.ts';

export interface SimulatedEndpoint {
  readonly eventsPerSecond: number;
  /** Whole seconds; by default for as long as the simulation. */
  readonly until?: number;
  /** The result of an attempt that starts at `ms`, as attempt `number` of this endpoint, with `inFlight` under way. */
  respond(at: { readonly ms: number; readonly number: number; readonly inFlight: number }): AttemptResult;
}

export interface SimulatedOutcome {
  /** Milliseconds from an event to the start of its attempt, sorted, for events from that second on. */
  waitsMs(fromSecond?: number): number[];
  /** Events that wait for their first attempt at the end of each second. */
  readonly queued: readonly number[];
  readonly maxInFlight: number;
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
  const states = endpoints.map((endpoint) => ({
    ...endpoint,
    queue: [] as number[],
    waits: [] as { arrivedAt: number; waitedMs: number }[],
    queued: [] as number[],
    started: 0,
    inFlight: 0,
    maxInFlight: 0,
    failed: 0,
    arrived: 0,
  }));
  const running: { slot: Slot; state: (typeof states)[number]; startedAt: number; result: AttemptResult }[] = [];
  const endings = new Map<number, typeof running>();
  const stateOf = (id: string) => {
    const state = states[Number(id)];
    if (state === undefined) throw new Error(`there is no endpoint ${id}`);
    return state;
  };

  for (let ms = 0; ms < seconds * 1000; ms += 1) {
    for (const [id, state] of states.entries()) {
      const { eventsPerSecond, until = seconds } = state;
      if (ms >= until * 1000 || state.arrived > (ms / 1000) * eventsPerSecond) continue;
      state.arrived += 1;
      state.queue.push(ms);
      lane.ready(String(id));
    }
    for (const ending of endings.get(ms) ?? []) {
      ending.state.inFlight -= 1;
      if (!ending.result.ok) ending.state.failed += 1;
      running.splice(running.indexOf(ending), 1);
      lane.ended(ending.slot, ending.result);
    }
    endings.delete(ms);
    if (ms % watchEveryMs === 0) for (const { slot, startedAt } of running) lane.waited(slot, ms - startedAt);
    for (let turns = lane.take(); turns.length > 0; turns = lane.take()) {
      for (const turn of turns) {
        const state = stateOf(turn.endpointId);
        const found = state.queue.splice(0, turn.limit);
        for (const [at, slot] of lane.claimed(turn, found.length).entries()) {
          const arrivedAt = found[at] ?? ms;
          state.started += 1;
          state.inFlight += 1;
          state.maxInFlight = Math.max(state.maxInFlight, state.inFlight);
          state.waits.push({ arrivedAt, waitedMs: ms - arrivedAt });
          const response = state.respond({ ms, number: state.started, inFlight: state.inFlight });
          const result = response.durationMs >= deadlineMs ? hangs : response;
          const attempt = { slot, state, startedAt: ms, result };
          running.push(attempt);
          const endsAt = ms + Math.max(1, Math.round(result.durationMs)) + recordMs;
          endings.set(endsAt, [...(endings.get(endsAt) ?? []), attempt]);
        }
      }
    }
    if (ms % 1000 === 999) for (const state of states) state.queued.push(state.queue.length);
  }
  return states.map(({ waits, queued, maxInFlight, failed }) => ({
    waitsMs: (fromSecond = 0) =>
      waits
        .filter(({ arrivedAt }) => arrivedAt >= fromSecond * 1000)
        .map(({ waitedMs }) => waitedMs)
        .sort((a, b) => a - b),
    queued,
    maxInFlight,
    failed,
  }));
}

export function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
