// Statements are planned once on each connection (session.ts). While tables are almost empty, all indexes look equally good,
// and a plan from that time may later read all rows of a merchant. So all connections make their plans again each time the
// number of commits has doubled, and now and then because of the commits of other processes. It costs about 10 ms.

import type pg from 'pg';

const firstAfterCommits = 64;
const maxCommits = 65_536;
const firstAfterMs = 1_000;
const maxMs = 60_000;

export interface PlanRenewal {
  /** So many change sets were committed. */
  committed(count: number): void;
  /** Called before each statement. If it is time, the connection must be sent `discardPlans` first. */
  isDue(client: pg.ClientBase): boolean;
}

export const discardPlans = 'DISCARD PLANS';

/** Without a clock, only commits of this process matter. */
export function planRenewal(monotonicMs: () => number = () => 0): PlanRenewal {
  const renewals = new WeakMap<pg.ClientBase, number>();
  let renewal = 0;
  let commits = 0;
  let atCommits = firstAfterCommits;
  let waitMs = firstAfterMs;
  let atMs = monotonicMs() + waitMs;

  return {
    committed(count) {
      commits += count;
      if (commits < atCommits) return;
      atCommits = commits + Math.min(commits, maxCommits);
      renewal += 1;
    },
    isDue(client) {
      const now = monotonicMs();
      if (now >= atMs) {
        waitMs = Math.min(waitMs * 2, maxMs);
        atMs = now + waitMs;
        renewal += 1;
      }
      const last = renewals.get(client);
      renewals.set(client, renewal);
      return last !== undefined && last < renewal;
    },
  };
}
