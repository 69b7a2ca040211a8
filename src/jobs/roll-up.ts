// Adds up and indexes what was committed, some seconds later and only as fast as it disturbs nobody: while this process is
// busy, the work takes a fixed small share of its time, and what is left waits. Nothing depends on it: Home and searches
// first add up or examine what is missing. Therefore a process only follows its own commits; what others have left is found
// by going through all merchants from time to time.

import type { ChangeSet } from '../domain/change-set.ts';
import type { Merchant, Scope } from '../domain/merchant.ts';
import type { Store } from '../storage/store.ts';
import { indexPayments, settledAfterMs } from '../usecases/index-payments.ts';
import { rollUpTotals } from '../usecases/roll-up-totals.ts';

export const rollUpEveryMs = 1_000;
const firstAfterMs = 5_000;
const walkEveryMs = 3_600_000;
const retryMs = 60_000;
/** After each step, the work rests for so many times its length: a busy process gives it 2 %, an idle one half. */
const restWhenBusy = 49;
const restWhenIdle = 1;
const longestRestMs = 1_000;
const busyFrom = 0.5;
/**
 * Payments and events of one step of a busy process. A step delays what is served beside it, so its steps are shorter, and
 * more of them. Measured on PostgreSQL, with sessions created at half of the full rate: their p99 was 22 ms with steps of
 * 100, and 15 ms with 20.
 */
const stepWhenBusy = 20;

export interface RollUpDeps {
  readonly store: Store;
  readonly now: () => number;
  /** For durations. */
  readonly steadyNow: () => number;
  /** The share of time that this process was busy since the last call, from 0 to 1. */
  readonly busyShare: () => number;
  readonly pause: (ms: number) => Promise<unknown>;
}

export interface RollUpWork {
  /** To be called with every committed change set. */
  committed(changes: ChangeSet): void;
  /** Runs one step; returns whether there is more to do. */
  run(): Promise<boolean>;
}

interface Marked {
  readonly scope: Scope;
  dueAt: number;
  /** When the last change was committed. */
  changedAt: number;
}

export function rollUpWork({ store, now, steadyNow, busyShare, pause }: RollUpDeps): RollUpWork {
  const marked = new Map<string, Marked>();
  let walkAt = 0;
  let walked: Merchant | null = null;

  function mark({ merchantId, livemode }: Scope, dueAt: number, changedAt: number): void {
    const key = `${merchantId} ${livemode}`;
    const before = marked.get(key);
    if (before === undefined) marked.set(key, { scope: { merchantId, livemode }, dueAt, changedAt });
    else {
      before.changedAt = Math.max(before.changedAt, changedAt);
      if (dueAt < before.dueAt) before.dueAt = dueAt;
    }
  }

  async function rollUp(key: string, work: Marked, step: number | undefined): Promise<void> {
    // If it fails, others are not kept waiting.
    work.dueAt = now() + retryMs;
    const more = [
      await rollUpTotals({ store }, work.scope, step),
      await indexPayments({ store, now }, work.scope, step),
    ];
    const time = now();
    const settlesAt = work.changedAt + settledAfterMs + rollUpEveryMs;
    if (more.includes(true)) work.dueAt = time;
    else if (settlesAt > time) work.dueAt = settlesAt;
    else marked.delete(key);
  }

  /** Both modes of the next merchant; false at the end. */
  async function walkOn(): Promise<boolean> {
    if (walked === null && now() < walkAt) return false;
    const [merchant = null] = await store.walk('merchants', walked, 1);
    walked = merchant;
    if (merchant === null) walkAt = now() + walkEveryMs;
    else for (const livemode of [false, true]) mark({ merchantId: merchant.id, livemode }, now(), 0);
    return merchant !== null;
  }

  function nextDue(): [string, Marked] | undefined {
    const time = now();
    return marked.entries().find(([, { dueAt }]) => dueAt <= time);
  }

  return {
    committed({ events, paymentIntents }) {
      const changed = events?.[0] ?? paymentIntents?.[0];
      if (changed === undefined) return;
      const time = now();
      mark(changed, time + firstAfterMs, time);
    },
    async run() {
      const startedAt = steadyNow();
      const due = nextDue();
      if (due === undefined) return walkOn();
      const isBusy = busyShare() > busyFrom;
      await rollUp(...due, isBusy ? stepWhenBusy : undefined);
      const rest = isBusy ? restWhenBusy : restWhenIdle;
      await pause(Math.min(longestRestMs, (steadyNow() - startedAt) * rest));
      return true;
    },
  };
}
