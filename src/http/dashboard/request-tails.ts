// Streams requests as they are recorded (Server-Sent Events). What this process records wakes the stream; what others record
// is found by polling. Without open streams, nothing is queried and no timer runs.

import type { Readable } from 'node:stream';
import { type Refusal, refuse } from '../../domain/errors.ts';
import type { Scope } from '../../domain/merchant.ts';
import type { RequestSummary } from '../../domain/request-record.ts';
import type { Store } from '../../storage/store.ts';
import { PushStream } from '../push-stream.ts';
import type { Staff } from './route.ts';

export interface RequestTails {
  /** `shown`: the requests to stream, and how. */
  open(staff: Viewer, shown: (request: RequestSummary) => string | null): Promise<Readable | Refusal>;
  wake(scopes: readonly Scope[]): void;
  close(): Promise<void>;
}

type Viewer = Pick<Staff, 'userId' | 'merchantId' | 'livemode'>;

interface Tail {
  readonly scope: Scope;
  readonly readable: PushStream;
  readonly seen: Set<string>;
  isReading: boolean;
  isWoken: boolean;
  sentAt: number;
}

const pollMs = 1_000;
const heartbeatMs = 15_000;
/** Requests read at a time: if more were recorded within a second, the list has the rest. */
const maxNew = 200;
const maxSeen = 2_000;
/** A user has a few windows; all others must be able to watch, too. */
const limits = { perUser: 10, total: 200 };
/** Browsers reconnect, and then the session is checked again. */
const longestMs = 300_000;

export interface RequestTailsDeps {
  readonly store: Store;
  readonly steadyNow: () => number;
  readonly onError: (error: unknown) => void;
}

export function requestTails({ store, steadyNow, onError }: RequestTailsDeps): RequestTails {
  const tails = new Map<Tail, (request: RequestSummary) => string | null>();
  /** Whose streams are open, or about to be. */
  const viewers = new Map<PushStream, string>();
  let timer: NodeJS.Timeout | null = null;
  const reading = new Set<Promise<void>>();

  function startTimer(): void {
    timer ??= setInterval(() => {
      for (const tail of tails.keys()) readNew(tail);
    }, pollMs);
  }

  function end(tail: Tail): void {
    tails.delete(tail);
    if (tails.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  }

  /** The newest, oldest first. Other processes store theirs later, so the highest id so far says nothing. */
  async function unseen({ scope, seen }: Tail): Promise<RequestSummary[]> {
    const rows = await store.list('requestSummaries', { scope, limit: maxNew });
    const found = rows.filter(({ id }) => !seen.has(id)).reverse();
    for (const { id } of found) seen.add(id);
    if (seen.size > maxSeen) for (const id of [...seen].slice(0, seen.size - maxSeen)) seen.delete(id);
    return found;
  }

  async function push(tail: Tail): Promise<void> {
    const shown = tails.get(tail);
    // A reader that does not keep up misses some: it sees them in the list.
    if (shown === undefined || tail.readable.readableLength > tail.readable.readableHighWaterMark) return;
    const frames = (await unseen(tail)).map(shown).filter((frame) => frame !== null);
    if (frames.length > 0 || steadyNow() - tail.sentAt >= heartbeatMs) {
      tail.sentAt = steadyNow();
      tail.readable.send(frames.length > 0 ? frames.join('') : ': still here\n\n');
    }
  }

  function readNew(tail: Tail): void {
    if (tail.isReading) {
      tail.isWoken = true;
      return;
    }
    tail.isReading = true;
    const work = push(tail)
      .catch((error: unknown) => {
        onError(error);
        tail.readable.destroy();
      })
      .finally(() => {
        reading.delete(work);
        tail.isReading = false;
        if (tail.isWoken && tails.has(tail)) {
          tail.isWoken = false;
          readNew(tail);
        }
      });
    reading.add(work);
  }

  return {
    async open({ userId, merchantId, livemode }, shown) {
      if (viewers.size >= limits.total) return tooManyInTotal;
      if ([...viewers.values()].filter((viewer) => viewer === userId).length >= limits.perUser) return tooManyOfUser;
      const readable = new PushStream({ highWaterMark: 65_536 });
      viewers.set(readable, userId);
      const scope = { merchantId, livemode };
      const tail: Tail = { scope, readable, seen: new Set(), isReading: false, isWoken: false, sentAt: steadyNow() };
      const over = setTimeout(() => readable.end(), longestMs).unref();
      readable.once('close', () => {
        clearTimeout(over);
        viewers.delete(readable);
        end(tail);
      });
      try {
        // Those before are in the list.
        await unseen(tail);
      } catch (error) {
        readable.destroy();
        throw error;
      }
      tails.set(tail, shown);
      readable.send(': requests as they are recorded\n\n');
      startTimer();
      return readable;
    },
    wake(scopes) {
      if (tails.size === 0) return;
      for (const tail of tails.keys()) {
        const { merchantId, livemode } = tail.scope;
        if (scopes.some((scope) => scope.merchantId === merchantId && scope.livemode === livemode)) readNew(tail);
      }
    },
    async close() {
      for (const tail of [...tails.keys()]) {
        end(tail);
        tail.readable.end();
      }
      await Promise.all(reading);
    },
  };
}

const tooManyOfUser = refuse(
  'rate_limited',
  `You already have ${limits.perUser} live views of requests open. Close one first.`,
);
const tooManyInTotal = refuse('rate_limited', 'Too many live views are open on this server. Try again in a minute.');
