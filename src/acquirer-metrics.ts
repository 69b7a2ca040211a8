// Metrics of calls to providers. Accounts may be many, so they are named in the log only: labels are providers, calls and
// outcomes, of which there are few.

import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Unfinished } from './storage/store.ts';

export interface AcquirerMetrics {
  observeAcquirerCall(provider: string, call: AcquirerCall): void;
  /** A call that was not made, because the account is down, full, or has to wait. */
  countTurnedAway(provider: string, reason: string): void;
  /** `type`: the provider's name of the event, from a notification that was accepted; otherwise empty. */
  countNotification(provider: string, type: string, outcome: NotificationOutcome): void;
  /** An operation that the acquirer was silent about has been told about, after this time. */
  observeKnown(provider: string, seconds: number): void;
  /** Evaluated on every scrape: the number of accounts that are down, by provider. */
  watchAccounts(down: () => ReadonlyMap<string, number>): void;
  /** Evaluated on every scrape. */
  watchUnfinished(read: () => Promise<Unfinished>, now: () => number): void;
}

export interface AcquirerCall {
  readonly call: string;
  readonly outcome: 'answered' | 'silent' | 'error';
  /** What was answered, such as `declined`; otherwise the outcome. */
  readonly answer: string;
  readonly seconds: number;
}

/** `refused`: forged, stale or malformed. `unknown`: for an account that does not exist. */
export type NotificationOutcome = 'accepted' | 'duplicate' | 'refused' | 'unknown';

/** Providers have some hundred types of events; a merchant uses a dozen. */
const maxTypes = 100;

export function acquirerMetrics(registry: Registry): AcquirerMetrics {
  const registers = [registry];
  const durations = new Histogram({
    name: 'paydesk_acquirer_call_duration_seconds',
    help: 'Duration of a call to the acquirer, until it responded, failed or timed out.',
    labelNames: ['provider', 'call', 'outcome'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const calls = new Counter({
    name: 'paydesk_acquirer_calls_total',
    help: 'Calls to the acquirer by what it answered.',
    labelNames: ['provider', 'call', 'answer'] as const,
    registers,
  });
  const turnedAway = new Counter({
    name: 'paydesk_acquirer_calls_turned_away_total',
    help: 'Calls that were not made, because the account was down, had too many calls in progress, or had to wait.',
    labelNames: ['provider', 'reason'] as const,
    registers,
  });
  const notifications = new Counter({
    name: 'paydesk_acquirer_notifications_total',
    help: 'Notifications from acquirers: accepted, duplicate, refused as forged, stale or malformed, or for an unknown account.',
    labelNames: ['provider', 'type', 'outcome'] as const,
    registers,
  });
  const unknownFor = new Histogram({
    name: 'paydesk_unknown_outcome_duration_seconds',
    help: 'How long the outcome of an operation was unknown, from the first missing response to the answer.',
    labelNames: ['provider'] as const,
    buckets: [1, 5, 15, 60, 300, 600, 1_800, 3_600, 21_600, 86_400],
    registers,
  });
  const types = new Set<string>();
  function known(type: string): string {
    if (types.size < maxTypes && /^[\w.]{1,60}$/.test(type)) types.add(type);
    return type === '' || types.has(type) ? type : 'other';
  }

  return {
    observeAcquirerCall(provider, { call, outcome, answer, seconds }) {
      durations.observe({ provider, call, outcome }, seconds);
      calls.inc({ provider, call, answer });
    },
    countTurnedAway: (provider, reason) => turnedAway.inc({ provider, reason }),
    countNotification: (provider, type, outcome) => notifications.inc({ provider, type: known(type), outcome }),
    observeKnown: (provider, seconds) => unknownFor.observe({ provider }, seconds),
    watchAccounts(down) {
      new Gauge({
        name: 'paydesk_acquirer_accounts_down',
        help: 'Accounts that are not called at the moment, because they do not respond or have asked us to wait.',
        labelNames: ['provider'] as const,
        // Each process finds out by itself.
        aggregator: 'max',
        registers,
        collect() {
          this.reset();
          for (const [provider, count] of down()) this.set({ provider }, count);
        },
      });
    },
    watchUnfinished: (read, now) => watchUnfinished(registry, read, now),
  };
}

/** The same in all workers, so the highest value is taken. */
function watchUnfinished(registry: Registry, read: () => Promise<Unfinished>, now: () => number): void {
  const shared = { registers: [registry], aggregator: 'max' as const };
  let reading: Promise<Unfinished | null> | null = null;
  /** One read for all gauges of a scrape. When storage is down, the other metrics are needed all the more. */
  const unfinished = (): Promise<Unfinished | null> => {
    reading ??= read()
      .catch(() => null)
      .finally(() => {
        reading = null;
      });
    return reading;
  };
  const secondsSince = (since: number): number => Math.max(0, (now() - since) / 1000);
  new Gauge({
    ...shared,
    name: 'paydesk_unknown_outcomes',
    help: 'Operations whose outcome is unknown, because the acquirer has not responded.',
    labelNames: ['provider'] as const,
    async collect() {
      const unknown = (await unfinished())?.unknown ?? [];
      this.reset();
      for (const { provider, operations } of unknown) this.set({ provider }, operations);
    },
  });
  new Gauge({
    ...shared,
    name: 'paydesk_oldest_unknown_outcome_seconds',
    help: 'For how long the oldest of the unknown outcomes has been unknown.',
    labelNames: ['provider'] as const,
    async collect() {
      const unknown = (await unfinished())?.unknown ?? [];
      this.reset();
      for (const { provider, since } of unknown) this.set({ provider }, secondsSince(since));
    },
  });
  new Gauge({
    ...shared,
    name: 'paydesk_session_expiry_lag_seconds',
    help: 'How long ago the oldest open session should have expired; 0 if none is overdue.',
    async collect() {
      const found = await unfinished();
      this.set(found === null ? Number.NaN : found.overdueSince === null ? 0 : secondsSince(found.overdueSince));
    },
  });
}
