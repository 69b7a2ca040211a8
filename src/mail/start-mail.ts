// Connects the parts that send mail, and reports every attempt to operators, without addresses.

import type { MailConfig } from '../config.ts';
import type { Random } from '../domain/ids.ts';
import type { Clock } from '../domain/moment.ts';
import type { Logger } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Store } from '../storage/store.ts';
import { clientNameOf } from './client-name.ts';
import { type Mailer, type MailReport, startMailer } from './mailer.ts';
import { mailSender } from './send-mail.ts';
import { smtpPool } from './smtp-pool.ts';

export interface MailDeps {
  readonly config: MailConfig;
  readonly publicUrl: string;
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly metrics: Metrics;
}

const maxCounted = 10_000;

export function startMail(deps: MailDeps): Pick<Mailer, 'wake' | 'stop'> {
  const { config, store, clock, random, log, metrics } = deps;
  const pool = smtpPool(config.server, clientNameOf(deps.publicUrl));
  const mailer = startMailer({
    ...{ store, clock },
    ...{ connections: config.connections, ratePerMinute: config.ratePerMinute, timeoutMs: config.timeoutMs },
    send: mailSender({
      ...{ store, clock, pool, from: config.from },
      onError: (err, { id }) => log.error({ message: id, err }, 'a message could not be composed; it will be retried'),
    }),
    schedule: { delaysMs: config.retryDelaysSeconds.map((seconds) => seconds * 1000) },
    chance: () => Buffer.from(random(4)).readUInt32BE() / 2 ** 32,
    onAttempt(report) {
      const line = attemptLine(report);
      if (line.outcome === 'failed') log.warn(line, 'mail');
      else log.info(line, 'mail');
      metrics.observeMail(line.outcome, report.attempted.durationMs / 1000);
    },
    onError: (err, what) => log.error({ err }, `${what}; it will be retried`),
  });
  metrics.watchMail({
    waiting: () => store.count('mailMessages', { where: { status: 'pending' } }, maxCounted),
    inFlight: mailer.inFlight,
  });
  return {
    wake: mailer.wake,
    async stop() {
      await mailer.stop();
      await pool.close();
    },
  };
}

function attemptLine({ message, attempted }: MailReport) {
  const { id, kind, paymentIntentId, attempts, status } = message;
  return {
    ...{ message: id, kind, payment: paymentIntentId, attempt: attempts.length },
    outcome: status === 'pending' ? ('retry' as const) : status,
    status: attempted.code,
    ...(attempted.error === null ? {} : { error: attempted.error }),
    ms: attempted.durationMs,
  };
}
