// Connects the parts that send webhooks, and reports every attempt to operators.

import type { Delivery } from '../domain/delivery.ts';
import type { Random } from '../domain/ids.ts';
import { type Clock, momentAt } from '../domain/moment.ts';
import type { RetrySchedule } from '../domain/retry-schedule.ts';
import type { SecretBox } from '../domain/secret-box.ts';
import type { AddressPolicy } from '../domain/webhook-address.ts';
import type { Logger } from '../log.ts';
import type { Metrics, WebhookAttempt } from '../metrics.ts';
import type { Store } from '../storage/store.ts';
import { disableWebhookEndpoint } from '../usecases/disable-webhook-endpoint.ts';
import { type AttemptReport, type Dispatcher, startDispatcher } from './dispatcher.ts';
import { laneLimits } from './lanes.ts';
import { createOutbound } from './outbound.ts';
import { sender } from './send.ts';

export interface WebhooksDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly wallClock: Clock;
  readonly random: Random;
  readonly secretBox: SecretBox;
  readonly policy: AddressPolicy;
  readonly schedule: RetrySchedule;
  readonly userAgent: string;
  readonly log: Logger;
  readonly metrics: Metrics;
}

export function startWebhooks(deps: WebhooksDeps): Pick<Dispatcher, 'wake' | 'poll' | 'stop'> {
  const { store, clock, wallClock, random, secretBox, policy, userAgent, log, metrics } = deps;
  // The lanes separate endpoints. Several may be on one host, where a hanging one must not block the others.
  const outbound = createOutbound({ policy, userAgent, connectionsPerOrigin: laneLimits.total.fast });
  const dispatcher = startDispatcher({
    store,
    clock,
    send: sender({ outbound, secretBox, clock, wallClock }),
    schedule: deps.schedule,
    chance: () => Buffer.from(random(4)).readUInt32BE() / 2 ** 32,
    async onGone(endpoint) {
      const outcome = await disableWebhookEndpoint({ store, moment: () => momentAt(clock.now(), random) }, endpoint);
      if ('done' in outcome && outcome.done)
        log.warn({ endpoint: endpoint.id }, 'the endpoint responded with 410 and was disabled');
    },
    onAttempt(report) {
      log.info(attemptLine(report), 'webhook');
      metrics.observeWebhook(attemptMetrics(report));
    },
    onError: (err, what) => log.error({ err }, `${what}; it will be retried`),
  });
  metrics.watchWebhooks({ due: () => store.deliveryQueue.countDue(clock.now()), inFlight: dispatcher.inFlight });
  return {
    wake: dispatcher.wake,
    poll: dispatcher.poll,
    async stop() {
      await dispatcher.stop();
      await outbound.close();
    },
  };
}

function outcomeOf({ status }: Delivery): WebhookAttempt['outcome'] {
  return status === 'pending' ? 'retry' : status;
}

function attemptLine({ delivery, attempted }: AttemptReport) {
  const { id, eventId, endpointId, attempts } = delivery;
  return {
    delivery: id,
    event: eventId,
    endpoint: endpointId,
    attempt: attempts.length,
    outcome: outcomeOf(delivery),
    status: attempted.statusCode,
    ...(attempted.error === null ? {} : { error: attempted.error }),
    ms: attempted.durationMs,
  };
}

function attemptMetrics({ delivery, attempted, sinceCommitMs }: AttemptReport): WebhookAttempt {
  return {
    outcome: outcomeOf(delivery),
    isRetry: delivery.attempts.length > 1,
    seconds: attempted.durationMs / 1000,
    secondsSinceCommit: sinceCommitMs / 1000,
  };
}
