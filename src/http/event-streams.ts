// Streams events over a connection that stays open (Server-Sent Events), for merchants who cannot receive webhooks.
// Without open streams, nothing is queried and no timer runs.

import { Readable } from 'node:stream';
import { keyStateAt } from '../domain/api-key.ts';
import { type Refusal, refuse } from '../domain/errors.ts';
import { type Event, eventBody } from '../domain/event.ts';
import type { Scope } from '../domain/merchant.ts';
import type { Store } from '../storage/store.ts';
import type { Caller } from './authenticate.ts';
import { openEventTail } from './event-tail.ts';
import { waking } from './waking.ts';

export interface EventStreams {
  /** Streams events committed after that event, or from now on. The caller must read or destroy the stream. */
  open(caller: Pick<Caller, 'keyId' | 'merchantId' | 'livemode'>, after: string | null): Readable | Refusal;
  /** Resolves when the starting position is fixed: the stream contains everything committed from then on. */
  begun(stream: Readable): Promise<void>;
  /** This merchant has new events in this mode. */
  wake(scope: Scope): void;
  count(): number;
  /** Ends all streams; clients reconnect to another process. */
  close(): Promise<void>;
}

export interface EventStreamsDeps {
  readonly store: Pick<Store, 'eventCursor' | 'list' | 'findBy'>;
  /** The time that keys expire by. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
  readonly limits?: StreamLimits;
  readonly heartbeatMs?: number;
}

export interface StreamLimits {
  readonly perKey: number;
  /** Over all keys and both modes, so that one merchant cannot use up the streams of others. */
  readonly perMerchant: number;
  /** For this process; far above what merchants use in total. */
  readonly total: number;
}

const defaultLimits: StreamLimits = { perKey: 10, perMerchant: 50, total: 2_000 };

interface OpenStream {
  readonly caller: Pick<Caller, 'keyId' | 'merchantId' | 'livemode'>;
  readonly readable: Readable;
  readonly begun: Promise<void>;
  /** Wakes the stream: there are new events, or it should end. */
  wakeUp(): void;
}

/** Commits wake the stream; polling finds those that it was not notified of. */
const pollMs = 400;
/** Events committed within this time are read together, so that a busy merchant does not cause a query per event. */
const gatherMs = 20;
const checkKeyEveryMs = 2_000;
/** How long clients have to read the rest when the process stops. */
const closeMs = 1_000;
const bufferBytes = 65_536;

export function eventStreams(deps: EventStreamsDeps): EventStreams {
  const { store, now, onError, limits = defaultLimits, heartbeatMs = 15_000 } = deps;
  const open = new Map<Readable, OpenStream>();
  const running = new Set<Promise<void>>();
  let closing = false;

  function start(caller: OpenStream['caller'], after: string | null): Readable {
    const { wakeUp, untilWoken } = waking({ pollMs, gatherMs });
    const begun = Promise.withResolvers<void>();
    let hasRoom: (() => void) | null = null;
    let lastSentAt = performance.now();
    let keyCheckedAt = performance.now();
    const readable = new Readable({
      highWaterMark: bufferBytes,
      read() {
        hasRoom?.();
      },
      destroy(error, done) {
        open.delete(readable);
        hasRoom?.();
        stream.wakeUp();
        done(error);
      },
    });
    const stream: OpenStream = {
      caller,
      readable,
      begun: begun.promise,
      wakeUp,
    };
    const isOver = (): boolean => closing || readable.destroyed;

    /** Waits while the buffer is full. The server disconnects a client that reads nothing; it can reconnect. */
    async function write(text: string): Promise<void> {
      lastSentAt = performance.now();
      if (isOver() || readable.push(text)) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      hasRoom = resolve;
      await promise;
      hasRoom = null;
    }
    async function isKeyValid(): Promise<boolean> {
      if (performance.now() - keyCheckedAt < checkKeyEveryMs) return true;
      keyCheckedAt = performance.now();
      const key = await store.findBy('apiKeys', 'id', caller.keyId);
      return key !== null && keyStateAt(key, now()) === 'active';
    }

    async function run(): Promise<void> {
      const tail = await openEventTail(store, caller, after);
      begun.resolve();
      // An id without data is not an event, but clients remember it: one that reconnects before the first event misses
      // none.
      await write(`: the events of ${caller.merchantId} as they happen\nid: ${tail.start}\n\n`);
      while (!isOver()) {
        const { events, more } = await tail.next();
        for (const event of events) await write(frame(event));
        if (performance.now() - lastSentAt >= heartbeatMs) await write(': still here\n\n');
        if (!(await isKeyValid())) return write(': this API key was revoked or has expired\n\n');
        if (!more) await untilWoken(isOver);
      }
    }
    open.set(readable, stream);
    const ended = run()
      .catch(onError)
      .then(() => {
        begun.resolve();
        if (!readable.destroyed) readable.push(null);
        running.delete(ended);
      });
    running.add(ended);
    return readable;
  }

  return {
    open(caller, after) {
      if (closing || open.size >= limits.total) return tooManyInTotal;
      const openWith = (field: 'keyId' | 'merchantId'): number =>
        [...open.values()].filter((stream) => stream.caller[field] === caller[field]).length;
      if (openWith('keyId') >= limits.perKey) return tooManyOf('This API key', limits.perKey);
      if (openWith('merchantId') >= limits.perMerchant) return tooManyOf('This merchant', limits.perMerchant);
      return start(caller, after);
    },
    begun: async (stream) => open.get(stream)?.begun,
    wake({ merchantId, livemode }) {
      if (open.size === 0) return;
      for (const { caller, wakeUp } of open.values()) {
        if (caller.merchantId === merchantId && caller.livemode === livemode) wakeUp();
      }
    },
    count: () => open.size,
    async close() {
      closing = true;
      for (const { wakeUp } of open.values()) wakeUp();
      const readables = [...open.keys()];
      const cutOff = setTimeout(() => {
        for (const readable of readables) readable.destroy();
      }, closeMs);
      const drained = readables.map((readable) => new Promise<void>((resolve) => readable.once('close', resolve)));
      await Promise.all([...running, ...drained]);
      clearTimeout(cutOff);
    },
  };
}

function tooManyOf(whose: string, limit: number): Refusal {
  return refuse(
    'rate_limited',
    `${whose} already has ${limit} event streams open, which is the limit. Close one first.`,
  );
}

const tooManyInTotal = refuse('rate_limited', 'Too many event streams are open on this server. Try again in a minute.');

/** The data is exactly the body of a webhook. */
function frame(event: Event): string {
  return `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(eventBody(event))}\n\n`;
}
