// Records API requests beside their path: a request only leaves a note, and notes are masked and stored in groups. If there
// are more than can be recorded without slowing anybody down, or storage is behind, requests are left out, and the record
// says how many.

import { maskedBody, maskedPath, maxParsedBytes } from '../domain/mask-body.ts';
import type { Scope } from '../domain/merchant.ts';
import type { Clock, Moment } from '../domain/moment.ts';
import type { RequestRecord } from '../domain/request-record.ts';
import type { Store } from '../storage/store.ts';
import type { Caller } from './authenticate.ts';
import type { HttpReply, HttpRequest } from './route.ts';

export interface RequestRecorder {
  /** `body`: what was sent, if it was read. */
  record(request: HttpRequest, caller: Caller, reply: HttpReply, body?: Uint8Array): void;
  /** Called after records of these merchants were stored. */
  onStored(listener: (scopes: readonly Scope[]) => void): void;
  /** Requests that were not recorded since the start. */
  unrecorded(): number;
  /** Stores what is waiting. */
  close(): Promise<void>;
}

/** Requests per second that are recorded for long, and at once. */
interface Budget {
  readonly perSecond: number;
  readonly burst: number;
}

export interface RecorderLimits {
  /** Of this process. */
  readonly total: Budget;
  /** Of one merchant in one mode: successful reads, and all others. */
  readonly reads: Budget;
  readonly others: Budget;
}

/**
 * A request that is left out takes 0.08 µs, and one that is recorded about 100 µs, most of it for masking: 100 per second
 * are 1 % of a core. Storage is bounded, too: at most 20 + 50 per second and merchant.
 */
const defaultLimits: RecorderLimits = {
  total: { perSecond: 100, burst: 200 },
  reads: { perSecond: 20, burst: 100 },
  others: { perSecond: 50, burst: 150 },
};
const storeEveryMs = 250;
/** Masked at once, which blocks the process for some milliseconds. */
const maxGroup = 20;
const maxWaiting = 1_000;
/** Of the bodies that wait. */
const maxWaitingBytes = 8_000_000;
/** Larger texts are not kept in memory until they are masked. */
const maxHeldLength = maxParsedBytes;
const maxKnownMerchants = 10_000;
const reportEveryMs = 5_000;

export interface RecorderDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** For durations. */
  readonly steadyClock: Clock;
  readonly moment: () => Moment;
  readonly onError: (error: unknown) => void;
  readonly limits?: RecorderLimits;
}

/** What is recorded of a request, but not the request itself: its connection must not outlive the answer for this. */
interface Note {
  readonly asked: Pick<HttpRequest, 'requestId' | 'method' | 'path' | 'query'>;
  readonly caller: Caller;
  readonly status: number;
  readonly ms: number;
  readonly at: number;
  readonly body: Uint8Array | undefined;
  readonly requestBytes: number;
  readonly response: string;
  readonly responseBytes: number;
}

interface Bucket {
  left: number;
  filledAt: number;
}

interface Known {
  readonly reads: Bucket;
  readonly others: Bucket;
  readonly scope: Scope;
  unrecorded: number;
}

export function requestRecorder(deps: RecorderDeps): RequestRecorder {
  const { store, clock, steadyClock, moment, onError, limits = defaultLimits } = deps;
  let waiting: Note[] = [];
  let waitingBytes = 0;
  let timer: NodeJS.Timeout | null = null;
  let storing: Promise<void> | null = null;
  let unrecorded = 0;
  let reportedAt = Number.NEGATIVE_INFINITY;
  const known = new Map<string, Known>();
  /** Merchants with requests that were not recorded. */
  const behind = new Set<Known>();
  const listeners: ((scopes: readonly Scope[]) => void)[] = [];
  const total = fullBucket(limits.total, steadyClock.now());
  let lastKnown: Known | null = null;

  function knownOf({ merchantId, livemode }: Scope, now: number): Known {
    if (lastKnown?.scope.merchantId === merchantId && lastKnown.scope.livemode === livemode) return lastKnown;
    const key = `${merchantId} ${livemode}`;
    let found = known.get(key);
    if (found === undefined) {
      if (known.size >= maxKnownMerchants) known.delete(known.keys().next().value ?? '');
      const scope = { merchantId, livemode };
      found = { scope, reads: fullBucket(limits.reads, now), others: fullBucket(limits.others, now), unrecorded: 0 };
      known.set(key, found);
    }
    lastKnown = found;
    return found;
  }

  function leaveOut(merchant: Known, count = 1): void {
    merchant.unrecorded += count;
    unrecorded += count;
    behind.add(merchant);
    schedule();
  }

  function schedule(): void {
    timer ??= setTimeout(() => {
      timer = null;
      storing ??= storeWaiting().finally(() => {
        storing = null;
        if (waiting.length > 0 || behind.size > 0) schedule();
      });
    }, storeEveryMs).unref();
  }

  async function storeWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting.slice(0, maxGroup);
      waiting = waiting.slice(maxGroup);
      for (const note of group) waitingBytes -= heldBytes(note);
      await storeGroup(group, group.map(recordOf));
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (behind.size > 0 && steadyClock.now() - reportedAt >= reportEveryMs) await report();
  }

  async function storeGroup(group: readonly Note[], records: readonly RequestRecord[]): Promise<void> {
    try {
      await store.commit({ requestRecords: records });
      const scopes = [...new Set(group.map(({ caller }) => knownOf(caller, steadyClock.now()).scope))];
      for (const listener of listeners) listener(scopes);
    } catch (error) {
      onError(error);
      for (const { caller } of group) leaveOut(knownOf(caller, steadyClock.now()));
    }
  }

  /** Says how many were left out, as a record of its own. */
  async function report(): Promise<void> {
    reportedAt = steadyClock.now();
    const merchants = [...behind];
    behind.clear();
    const counts = merchants.map((merchant) => {
      const count = merchant.unrecorded;
      merchant.unrecorded = 0;
      return count;
    });
    const records = merchants.map((merchant, at) => gapOf(merchant.scope, counts[at] ?? 0, moment()));
    try {
      await store.commit({ requestRecords: records });
    } catch (error) {
      onError(error);
      for (const [at, merchant] of merchants.entries()) {
        merchant.unrecorded += counts[at] ?? 0;
        behind.add(merchant);
      }
    }
  }

  return {
    record(request, caller, reply, body) {
      const now = steadyClock.now();
      const merchant = knownOf(caller, now);
      const isRead = request.method === 'GET' && reply.status < 400;
      const [own, budget] = isRead ? [merchant.reads, limits.reads] : [merchant.others, limits.others];
      if (!hasLeft(own, budget, now) || !hasLeft(total, limits.total, now) || waiting.length >= maxWaiting) {
        leaveOut(merchant);
        return;
      }
      const text = typeof reply.body === 'string' && reply.stream === undefined ? reply.body : '';
      const { requestId, method, path, query } = request;
      const held = body !== undefined && body.length <= maxHeldLength ? body : undefined;
      const note: Note = {
        asked: { requestId, method, path, query },
        ...{ caller, status: reply.status, ms: performance.now() - request.startedAt, at: clock.now() },
        body: held,
        requestBytes: held?.length ?? Number(request.headers['content-length'] ?? 0),
        response: text.length <= maxHeldLength ? text : '',
        responseBytes: Buffer.byteLength(text),
      };
      if (waitingBytes + heldBytes(note) > maxWaitingBytes) {
        leaveOut(merchant);
        return;
      }
      own.left -= 1;
      total.left -= 1;
      waitingBytes += heldBytes(note);
      waiting.push(note);
      schedule();
    },
    onStored: (listener) => listeners.push(listener),
    unrecorded: () => unrecorded,
    async close() {
      if (timer !== null) clearTimeout(timer);
      await storing;
      reportedAt = Number.NEGATIVE_INFINITY;
      await storeWaiting();
    },
  };
}

function heldBytes({ body, response }: Note): number {
  return (body?.length ?? 0) + response.length;
}

function fullBucket({ burst }: Budget, now: number): Bucket {
  return { left: burst, filledAt: now };
}

/** Fills the bucket for the time that has passed. */
function hasLeft(bucket: Bucket, { perSecond, burst }: Budget, now: number): boolean {
  if (bucket.left < burst) bucket.left = Math.min(burst, bucket.left + ((now - bucket.filledAt) * perSecond) / 1_000);
  bucket.filledAt = now;
  return bucket.left >= 1;
}

function recordOf({ asked, caller, status, ms, at, body, response, ...bytes }: Note): RequestRecord {
  const { merchantId, livemode, keyId } = caller;
  return {
    ...{ merchantId, livemode, id: asked.requestId, method: asked.method },
    path: maskedPath(asked.path, asked.query),
    ...{ status, duration: Math.max(0, Math.round(ms * 1_000)), keyId, unrecorded: null, createdAt: at },
    requestBody: body === undefined ? null : maskedBody(Buffer.from(body).toString('utf8')),
    responseBody: maskedBody(response),
    ...bytes,
  };
}

function gapOf({ merchantId, livemode }: Scope, unrecorded: number, { now, newId }: Moment): RequestRecord {
  const nothing = { requestBody: null, responseBody: null, requestBytes: 0, responseBytes: 0 };
  const about = { method: '', path: '', status: 0, duration: 0, keyId: '' };
  return { merchantId, livemode, id: newId('req'), ...about, ...nothing, unrecorded, createdAt: now };
}
