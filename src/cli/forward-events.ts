// Sends events on to a receiver that is being worked on: in order, one after the other, as real webhooks. While the
// receiver is not running, as when it restarts after a change, they wait for it; none is lost.

import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../domain/moment.ts';
import { signWebhook } from '../domain/webhook-signature.ts';
import type { Outbound, OutboundResult } from '../webhooks/outbound.ts';
import type { StreamedEvent } from './follow-events.ts';

export interface Forwarder {
  /** Takes an event on; waits while as many wait as may. */
  add(event: StreamedEvent): Promise<void>;
}

export interface ForwarderOptions {
  readonly outbound: Pick<Outbound, 'post'>;
  readonly url: string;
  readonly secret: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** How an event fared. */
  readonly onResult: (event: StreamedEvent, result: OutboundResult) => void;
  /** The receiver is not running; the event is sent when it is. Told once for each outage. */
  readonly onWaiting: (event: StreamedEvent) => void;
}

const tryAgainMs = 500;
/** Beyond this the events wait at the service. */
const maxWaiting = 500;

export function startForwarder(options: ForwarderOptions): Forwarder {
  const { outbound, url, secret, clock, signal, onResult, onWaiting } = options;
  const queue: StreamedEvent[] = [];
  let running = false;
  let receiverIsDown = false;
  let room = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => room.resolve());

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
      room.resolve();
      room = Promise.withResolvers();
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
        // Nothing in it throws: `post` answers whatever happens.
        void run();
      }
      while (queue.length >= maxWaiting && !signal.aborted) await room.promise;
    },
  };
}
