// Events over one connection that stays open (Server-Sent Events), for those who cannot be called. Nothing is read and
// no timer runs while nobody listens.

import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { type Refusal, refuse } from '../domain/errors.ts';
import { type Event, eventBody } from '../domain/event.ts';
import type { Store } from '../storage/store.ts';
import type { Caller } from './authenticate.ts';
import { openEventTail } from './event-tail.ts';

export interface EventStreams {
  /** A stream of what is committed after that event, or from now on. Whoever gets it reads or destroys it. */
  open(caller: Pick<Caller, 'keyId' | 'merchantId' | 'livemode'>, after: string | null): Readable | Refusal;
  /** Resolves when it is settled where the stream begins: what is committed from then on is in it. */
  begun(stream: Readable): Promise<void>;
  /** These were committed by this process. */
  wake(events: readonly Event[]): void;
  count(): number;
  /** Ends all streams: their readers come back to the next process. */
  close(): Promise<void>;
}

export interface EventStreamsDeps {
  readonly store: Pick<Store, 'eventCursor' | 'list' | 'findBy'>;
  readonly onError: (error: unknown) => void;
  readonly limits?: StreamLimits;
  readonly heartbeatMs?: number;
}

export interface StreamLimits {
  readonly perKey: number;
  /** Over all its keys, in both modes: no merchant takes the streams of another. */
  readonly perMerchant: number;
  /** Of this process, far above what merchants use together. */
  readonly total: number;
}

const defaultLimits: StreamLimits = { perKey: 10, perMerchant: 50, total: 2_000 };

interface OpenStream {
  readonly caller: Pick<Caller, 'keyId' | 'merchantId' | 'livemode'>;
  readonly readable: Readable;
  readonly begun: Promise<void>;
  /** There is something to do: events, or to end. */
  ring(): void;
}

/** Finds what other processes committed; what this one commits wakes the stream. */
const pollMs = 400;
/** What is committed in this time goes out together, so that a busy merchant does not cost a query an event. */
const gatherMs = 20;
const checkKeyEveryMs = 2_000;
/** For readers to take what is left when the process is to stop. */
const closeMs = 1_000;
const bufferBytes = 65_536;

export function eventStreams(deps: EventStreamsDeps): EventStreams {
  const { store, onError, limits = defaultLimits, heartbeatMs = 15_000 } = deps;
  const open = new Map<Readable, OpenStream>();
  const running = new Set<Promise<void>>();
  let closing = false;

  function start(caller: OpenStream['caller'], after: string | null): Readable {
    let rung = false;
    const begun = Promise.withResolvers<void>();
    let wakeUp: (() => void) | null = null;
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
        stream.ring();
        done(error);
      },
    });
    const stream: OpenStream = {
      caller,
      readable,
      begun: begun.promise,
      ring() {
        rung = true;
        wakeUp?.();
      },
    };
    const isOver = (): boolean => closing || readable.destroyed;

    /** Waits while the reader has enough to read. Who takes nothing is cut off by the server, and can come back. */
    async function write(text: string): Promise<void> {
      lastSentAt = performance.now();
      if (isOver() || readable.push(text)) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      hasRoom = resolve;
      await promise;
      hasRoom = null;
    }
    async function untilRung(): Promise<void> {
      if (!rung) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wakeUp = resolve;
        const timer = setTimeout(resolve, pollMs);
        await promise;
        clearTimeout(timer);
        wakeUp = null;
      }
      if (rung && !isOver()) await pause(gatherMs);
      rung = false;
    }
    async function keyIsGood(): Promise<boolean> {
      if (performance.now() - keyCheckedAt < checkKeyEveryMs) return true;
      keyCheckedAt = performance.now();
      const key = await store.findBy('apiKeys', 'id', caller.keyId);
      return key !== null && key.revokedAt === null;
    }

    async function run(): Promise<void> {
      const tail = await openEventTail(store, caller, after);
      begun.resolve();
      // An id without data is no event, but readers keep it: who comes back before the first event misses none.
      await write(`: the events of ${caller.merchantId} as they happen\nid: ${tail.start}\n\n`);
      while (!isOver()) {
        const { events, more } = await tail.next();
        for (const event of events) await write(frame(event));
        if (performance.now() - lastSentAt >= heartbeatMs) await write(': still here\n\n');
        if (!(await keyIsGood())) return write(': this API key was revoked\n\n');
        if (!more) await untilRung();
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
      if (closing || open.size >= limits.total) return tooManyInAll;
      const openWith = (field: 'keyId' | 'merchantId'): number =>
        [...open.values()].filter((stream) => stream.caller[field] === caller[field]).length;
      if (openWith('keyId') >= limits.perKey) return tooManyOf('This API key', limits.perKey);
      if (openWith('merchantId') >= limits.perMerchant) return tooManyOf('This merchant', limits.perMerchant);
      return start(caller, after);
    },
    begun: async (stream) => open.get(stream)?.begun,
    wake(events) {
      if (open.size === 0) return;
      const [first] = events;
      for (const { caller, ring } of open.values()) {
        if (caller.merchantId === first?.merchantId && caller.livemode === first.livemode) ring();
      }
    },
    count: () => open.size,
    async close() {
      closing = true;
      for (const { ring } of open.values()) ring();
      const readables = [...open.keys()];
      const cutOff = setTimeout(() => {
        for (const readable of readables) readable.destroy();
      }, closeMs);
      const taken = readables.map((readable) => new Promise<void>((resolve) => readable.once('close', resolve)));
      await Promise.all([...running, ...taken]);
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

const tooManyInAll = refuse('rate_limited', 'Too many event streams are open on this server. Try again in a minute.');

/** Exactly what a webhook carries. */
function frame(event: Event): string {
  return `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(eventBody(event))}\n\n`;
}
