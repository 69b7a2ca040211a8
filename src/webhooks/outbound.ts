// The only module that talks to the public internet: it sends webhook requests. It follows no redirects, stores no
// cookies, uses no proxy, decompresses nothing, and limits how long it waits and how much it reads.

import { StringDecoder } from 'node:string_decoder';
import { type AddressPolicy, type AddressRules, addressRules } from '../domain/webhook-address.ts';
import {
  type Connection,
  type ConnectionLimits,
  type ConnectionPool,
  createConnectionPool,
} from './outbound-connections.ts';
import { guardedConnect } from './outbound-connector.ts';
import { type Failure, failure, failureOf } from './outbound-failure.ts';
import { type Lookup, lookupAddresses } from './outbound-lookup.ts';

export interface OutboundRequest {
  readonly url: string;
  readonly livemode: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string;
}

export interface OutboundResponse {
  readonly statusCode: number;
  readonly retryAfter: string | null;
  /** The first KiB of the body, without control characters; empty if it is compressed. */
  readonly bodyExcerpt: string;
}

/** `durationMs` counts from when a connection was available, or could be opened. */
export type OutboundResult = (OutboundResponse | Failure) & { readonly durationMs: number };

export interface Outbound {
  /** Never rejects, and takes at most `waitMs` and `timeoutMs` together, whatever the receiver does. */
  post(request: OutboundRequest): Promise<OutboundResult>;
  /** The number of origins with connections, in both modes. */
  origins(): number;
  /** Waits for requests in progress, and refuses new ones. */
  close(): Promise<void>;
}

export interface OutboundOptions extends Partial<ConnectionLimits> {
  readonly policy: AddressPolicy;
  readonly userAgent: string;
  /** For the whole exchange: DNS, TCP, TLS, request, headers and body. */
  readonly timeoutMs?: number;
  /**
   * For a free connection, if all of them to the receiver are in use. Not counted against the receiver's `timeoutMs`.
   */
  readonly waitMs?: number;
  readonly lookup?: Lookup;
  /** PEM certificates that are trusted in addition to the usual ones. */
  readonly extraCa?: readonly string[];
}

interface Target {
  readonly origin: string;
  readonly path: string;
}

const maxKnownTargets = 1_000;
const maxBodyBytes = 16_384;
const excerptBytes = 1_024;
const maxRetryAfterLength = 64;

export function createOutbound({
  policy,
  userAgent,
  timeoutMs = 10_000,
  waitMs = 2_000,
  connectionsPerOrigin = 32,
  idleConnections = 512,
  connectionAgeMs = 60_000,
  lookup = lookupAddresses(),
  extraCa = [],
}: OutboundOptions): Outbound {
  const modeOf = (livemode: boolean) => {
    const rules = addressRules(policy, livemode);
    const connect = guardedConnect(rules, lookup, extraCa);
    return {
      targetOf: checkedTargets(rules),
      pool: createConnectionPool(connect, { connectionsPerOrigin, idleConnections, connectionAgeMs }),
    };
  };
  // Test mode may reach more than live mode, so they share no connections.
  const modes = { live: modeOf(true), test: modeOf(false) };
  const inProgress = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;

  async function post(request: OutboundRequest): Promise<OutboundResult> {
    if (closing !== undefined) return { ...failure('closed'), durationMs: 0 };
    const { targetOf, pool } = request.livemode ? modes.live : modes.test;
    const target = targetOf(request.url);
    if ('error' in target) return { ...target, durationMs: 0 };
    const result = exchange(pool, { ...target, ...request }, { userAgent, timeoutMs, waitMs });
    inProgress.add(result);
    await result;
    inProgress.delete(result);
    return result;
  }

  return {
    post,
    origins: () => modes.live.pool.origins() + modes.test.pool.origins(),
    close() {
      closing ??= Promise.all(inProgress).then(async () => {
        await Promise.all([modes.live.pool.close(), modes.test.pool.close()]);
      });
      return closing;
    },
  };
}

/** The rules may have become stricter since an endpoint was created, so each URL is checked again once. */
function checkedTargets(rules: AddressRules): (url: string) => Target | Failure {
  const known = new Map<string, Target | Failure>();
  return (url) => {
    const seen = known.get(url);
    if (seen !== undefined) return seen;
    const refusal = rules.checkUrl(url);
    const target =
      refusal === null ? readTarget(url) : ({ error: 'address_refused', message: refusal.message } as const);
    if (known.size >= maxKnownTargets) known.clear();
    known.set(url, target);
    return target;
  };
}

function readTarget(url: string): Target {
  const { origin, pathname, search } = new URL(url);
  return { origin, path: pathname + search };
}

function exchange(
  pool: ConnectionPool,
  { origin, path, headers, body }: OutboundRequest & Target,
  { userAgent, timeoutMs, waitMs }: { userAgent: string; timeoutMs: number; waitMs: number },
): Promise<OutboundResult> {
  const { promise, resolve } = Promise.withResolvers<OutboundResult>();
  let connection: Connection | undefined;
  let timer: NodeJS.Timeout | undefined;
  let startedAt = 0;
  let settled = false;

  /** `complete`: nothing of this exchange is left on the connection, so it may carry another. */
  function settle(outcome: OutboundResponse | Failure, complete = false): void {
    if (settled) return;
    settled = true;
    clearTimeout(timer);
    resolve({ ...outcome, durationMs: connection === undefined ? 0 : Math.round(performance.now() - startedAt) });
    if (connection === undefined) leaveQueue();
    else if (complete) pool.release(connection);
    else pool.discard(connection);
  }

  const leaveQueue = pool.acquire(origin, (acquired) => {
    clearTimeout(timer);
    connection = acquired;
    startedAt = performance.now();
    timer = setTimeout(() => settle(failure('timeout')), timeoutMs);
    send(acquired);
  });
  if (connection === undefined) timer = setTimeout(() => settle(failure('busy')), waitMs);
  return promise;

  /**
   * Receivers close connections whenever they like. If one closes a reused connection without a response, the request is
   * sent once more, over a new one and within the same deadline: usually it was never read.
   */
  function failed(used: Connection, reason: Failure, answered: boolean): void {
    if (settled || answered || !used.reused || reason.error !== 'connection_reset') {
      settle(reason);
    } else {
      connection = pool.replace(used);
      send(connection);
    }
  }

  function send(used: Connection): void {
    let answered = false;
    let statusCode = 0;
    let retryAfter: string | null = null;
    let isText = true;
    let bytes = 0;
    const excerpt: Buffer[] = [];
    const response = () => ({ statusCode, retryAfter, bodyExcerpt: isText ? textOf(excerpt) : '' });
    used.client.dispatch(
      { method: 'POST', path, headers: { ...headers, 'user-agent': userAgent }, body },
      {
        onRequestStart() {},
        onResponseStart(_controller, status, fields) {
          answered = true;
          // Skip interim responses.
          if (status < 200) return;
          statusCode = status;
          retryAfter = String(fields['retry-after'] ?? '').slice(0, maxRetryAfterLength) || null;
          isText = fields['content-encoding'] === undefined || fields['content-encoding'] === 'identity';
        },
        onResponseData(_controller, chunk) {
          if (bytes < excerptBytes) excerpt.push(chunk.subarray(0, excerptBytes - bytes));
          bytes += chunk.length;
          if (bytes >= maxBodyBytes) settle(response());
        },
        onResponseEnd: () => settle(response(), true),
        onResponseError: (_controller, error) => failed(used, failureOf(error), answered),
      },
    );
  }
}

/**
 * Drops a character that was truncated at the end. Replaces control characters, which databases do not accept (NUL
 * above all).
 */
function textOf(chunks: readonly Buffer[]): string {
  if (chunks.length === 0) return '';
  return new StringDecoder('utf8').write(Buffer.concat(chunks)).replace(/[^\P{Cc}\t\n\r]/gu, '\ufffd');
}
