// The messages between a supervisor and its workers over the channel of `node:cluster`. After a rolling restart they
// may run different versions, so each ignores messages that it does not know.

import type { Registry } from 'prom-client';
import type { Readiness } from '../http/health.ts';
import type { RateLimit } from '../http/rate-limit.ts';

export type MetricsReport = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** The questions that a supervisor asks, with the type of the worker's answer. */
export interface Answers {
  /** Needs nothing but the worker's event loop. */
  readonly alive: true;
  readonly metrics: MetricsReport;
  readonly readiness: Readiness;
  /** Creates the demo merchant if there is no merchant yet. */
  readonly demoMerchant: FirstStart | null;
}

/** What is shown on the first start only. */
export interface FirstStart {
  /** The demo merchant's. */
  readonly testKey: string;
  /** To create its owner in the browser. */
  readonly setUpLink: string;
}
export type Question = keyof Answers;

export type ToWorker =
  | { readonly type: 'ask'; readonly id: number; readonly question: Question }
  | { readonly type: 'taken'; readonly id: number; readonly results: readonly TakenTokens[] }
  | { readonly type: 'stop'; readonly hasSuccessor: boolean }
  /** Ends the grace period. */
  | { readonly type: 'hurry' };

export type FromWorker =
  /** The worker accepts requests. */
  | { readonly type: 'ready'; readonly address: string }
  | { readonly type: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly type: 'failed'; readonly id: number; readonly problem: string }
  /** Everything that the worker has counted, sent just before it exits. */
  | { readonly type: 'last metrics'; readonly report: MetricsReport }
  | {
      readonly type: 'take';
      readonly id: number;
      readonly limit: RateLimit;
      readonly wanted: readonly WantedTokens[];
      readonly unused: readonly UnusedTokens[];
    };

export interface WantedTokens {
  readonly bucket: string;
  /** For requests that are waiting. */
  readonly now: number;
  /** For requests that are likely to follow shortly. */
  readonly soon: number;
}

export interface TakenTokens {
  readonly taken: number;
  /** In the shared bucket; may be a fraction. */
  readonly left: number;
}

export interface UnusedTokens {
  readonly bucket: string;
  readonly tokens: number;
}
