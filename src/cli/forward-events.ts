// Forwards events to a receiver under development: in order, one at a time, as real webhooks. While the receiver is
// not running, for example during a restart, events wait for it; none is lost.

import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../domain/moment.ts';
import { signWebhook } from '../domain/webhook-signature.ts';
import type { Outbound, OutboundResult } from '../webhooks/outbound.ts';
import type { StreamedEvent } from './follow-events.ts';

export interface Forwarder {
  /** Queues an event; waits while the queue is full. */
  add(event: StreamedEvent): Promise<void>;
}

export interface ForwarderOptions {
  readonly outbound: Pick<Outbound, 'post'>;
  readonly url: string;
  readonly secret: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The result of sending an event. */
  readonly onResult: (event: StreamedEvent, result: OutboundResult) => void;
  /** The receiver is not running; the event is sent when it is. Called once for each event and outage. */
  readonly onWaiting: (event: StreamedEvent) => void;
}

const tryAgainMs = 500;
/** Beyond this, events wait at the service. */
const maxWaiting = 500;

export function startForwarder(options: ForwarderOptions): Forwarder {
  const { outbound, url, secret, clock, signal, onResult, onWaiting } = options;
  const queue: StreamedEvent[] = [];
  let running = false;
  let receiverIsDown = false;
  let capacity = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => capacity.resolve());

  function send({ json }: StreamedEvent): Promise<OutboundResult> {
    const body = Buffer.from(json);
    const signature = signWebhook(secret, Math.floor(clock.now() / 1000), body);
    const headers = { 'Content-Type': 'application/json', 'Service-Signature': signature };
    return outbound.post({ url, livemode: false, headers, body });
  }
  async function run(): Promise<void> {
    for (let event = queue[0]; event !== undefined && !signal.aborted; event = queue[0]) {
      const result = await send(event);
      if (signal.aborted) return;
      if ('error' in result && result.error === 'connection_refused') {
        if (!receiverIsDown) for (const waiting of queue) onWaiting(waiting);
        receiverIsDown = true;
        await pause(tryAgainMs, undefined, { signal }).catch(() => {});
        continue;
      }
      receiverIsDown = false;
      queue.shift();
      capacity.resolve();
      capacity = Promise.withResolvers();
      onResult(event, result);
    }
    running = false;
  }

  return {
    async add(event) {
      queue.push(event);
      if (receiverIsDown) onWaiting(event);
      if (!running) {
        running = true;
        // Never throws: `post` returns a result whatever happens.
        void run();
      }
      while (queue.length >= maxWaiting && !signal.aborted) await capacity.promise;
    },
  };
}
