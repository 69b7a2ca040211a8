// Metrics of receipts and refund notices by e-mail.

import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export interface MailMetrics {
  /** `retry`: failed, and will be retried. `failed`: failed for good. `canceled`: there was a reason not to send it. */
  observeMail(outcome: 'sent' | 'retry' | 'failed' | 'canceled', seconds: number): void;
  /** Evaluated on every scrape. */
  watchMail(now: { waiting: () => Promise<number>; inFlight: () => number }): void;
}

export function mailMetrics(registry: Registry): MailMetrics {
  const registers = [registry];
  const attempts = new Counter({
    name: 'paydesk_mail_attempts_total',
    help: 'Attempts to send an e-mail: sent; failed and to be retried; failed for good; canceled.',
    labelNames: ['outcome'] as const,
    registers,
  });
  const durations = new Histogram({
    name: 'paydesk_mail_attempt_duration_seconds',
    help: 'Duration of an attempt to send an e-mail.',
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  });
  const waiting = new Gauge({
    name: 'paydesk_mail_messages_waiting',
    help: 'E-mails that are still to be sent or retried, up to 10000.',
    // The same in all workers.
    aggregator: 'max',
    registers,
    async collect() {
      if (now !== null) this.set(await now.waiting().catch(() => Number.NaN));
    },
  });
  const inFlight = new Gauge({
    name: 'paydesk_mail_messages_in_flight',
    help: 'E-mails that this process is sending.',
    registers,
    collect() {
      this.set(now?.inFlight() ?? 0);
    },
  });
  let now: Parameters<MailMetrics['watchMail']>[0] | null = null;
  waiting.set(0);
  inFlight.set(0);
  return {
    observeMail(outcome, seconds) {
      attempts.inc({ outcome });
      durations.observe(seconds);
    },
    watchMail(current) {
      now = current;
    },
  };
}
