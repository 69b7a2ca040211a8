// What operators are told about calls to providers: metrics by provider, and a log line with the account for each call
// that failed, was answered in part or was slow. Never credentials, cards or bodies.

import type { AcquirerCall, AcquirerMetrics } from './acquirer-metrics.ts';
import type { Logger } from './log.ts';

/** A call that was made. */
export interface WatchedCall extends AcquirerCall {
  readonly about: string | null;
  readonly providerRequestId: string | null;
  readonly reason: string | null;
}

export interface WatchedAccount {
  readonly id: string;
  readonly provider: string;
}

export interface AcquirerWatchDeps {
  readonly log: Pick<Logger, 'warn' | 'info'>;
  readonly metrics: Pick<AcquirerMetrics, 'observeAcquirerCall' | 'countTurnedAway'>;
  /** From here on, a call that was answered counts as slow. */
  readonly slowSeconds: number;
  readonly requestId: () => string | undefined;
}

export interface AcquirerWatch {
  onCall(account: WatchedAccount, call: WatchedCall): void;
  onTurnedAway(account: WatchedAccount, why: string): void;
  onAvailability(account: WatchedAccount, now: 'available' | 'down', reason: string): void;
}

export function acquirerWatch({ log, metrics, slowSeconds, requestId }: AcquirerWatchDeps): AcquirerWatch {
  return {
    onCall({ id, provider }, watched) {
      const { call, outcome, answer, seconds, about, providerRequestId, reason } = watched;
      metrics.observeAcquirerCall(provider, { call, outcome, answer, seconds });
      const isSlow = seconds >= slowSeconds;
      const isIncomplete = outcome === 'answered' && reason !== null;
      if (outcome === 'answered' && !isIncomplete && !isSlow) return;
      const ms = Math.round(seconds * 1000);
      const line = { requestId: requestId(), provider, account: id, call, outcome, answer, ms, about };
      const answered = isIncomplete ? 'was answered in part' : 'was slow';
      const what = outcome === 'answered' ? answered : 'failed';
      log.warn({ ...line, providerRequestId, reason }, `a call to an acquirer ${what}`);
    },
    onTurnedAway: ({ provider }, why) => metrics.countTurnedAway(provider, why),
    onAvailability({ id, provider }, now, reason) {
      if (now === 'available')
        log.info({ provider, account: id }, 'an acquirer account responds again; payments with it continue');
      else
        log.warn(
          { provider, account: id, reason },
          'an acquirer account does not respond; until it does, its payment methods are shown as unavailable',
        );
    },
  };
}
