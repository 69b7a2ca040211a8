// The one door out: sends a webhook's request, and nothing else in the service talks to the open internet. It follows
// no redirect, keeps no cookie, asks no proxy, unpacks nothing, and waits and reads only so much.

import { StringDecoder } from 'node:string_decoder';
import { type AddressPolicy, type AddressRules, addressRules } from '../domain/webhook-address.ts';
import { guardedConnect } from './outbound-connector.ts';
import { type Failure, failure, failureOf } from './outbound-failure.ts';
import { type Line, type LineLimits, type Lines, openLines } from './outbound-lines.ts';
import { type Lookup, lookupAddresses } from './outbound-lookup.ts';

export interface OutboundRequest {
  readonly url: string;
  readonly livemode: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string;
}

export interface OutboundAnswer {
  readonly statusCode: number;
  readonly retryAfter: string | null;
  /** The first KiB of the body, without control characters; empty if it is compressed. */
  readonly bodyExcerpt: string;
}

/** `durationMs` counts from when there was a connection to use, or one to be made. */
export type OutboundResult = (OutboundAnswer | Failure) & { readonly durationMs: number };

export interface Outbound {
  /** Never rejects, and takes at most `waitMs` and `timeoutMs` together, whatever the receiver does. */
  post(request: OutboundRequest): Promise<OutboundResult>;
  /** Origins that are remembered, of both modes. */
  origins(): number;
  /** Waits for what is under way, and refuses what comes after. */
  close(): Promise<void>;
}

export interface OutboundOptions extends Partial<LineLimits> {
  readonly policy: AddressPolicy;
  readonly userAgent: string;
  /** For the whole exchange: DNS, TCP, TLS, request, headers and body. */
  readonly timeoutMs?: number;
  /** For a turn, where all connections to the receiver are in use. That is our doing, and takes no time from it. */
  readonly waitMs?: number;
  readonly lookup?: Lookup;
  /** Certificates in PEM that are trusted beside the usual ones. */
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
      lines: openLines(connect, { connectionsPerOrigin, idleConnections, connectionAgeMs }),
    };
  };
  // What test mode may reach is more than what live mode may, so they share no connection.
  const modes = { live: modeOf(true), test: modeOf(false) };
  const underWay = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;

  async function post(request: OutboundRequest): Promise<OutboundResult> {
    if (closing !== undefined) return { ...failure('closed'), durationMs: 0 };
    const { targetOf, lines } = request.livemode ? modes.live : modes.test;
    const target = targetOf(request.url);
    if ('error' in target) return { ...target, durationMs: 0 };
    const result = exchange(lines, { ...target, ...request }, { userAgent, timeoutMs, waitMs });
    underWay.add(result);
    await result;
    underWay.delete(result);
    return result;
  }

  return {
    post,
    origins: () => modes.live.lines.origins() + modes.test.lines.origins(),
    close() {
      closing ??= Promise.all(underWay).then(async () => {
        await Promise.all([modes.live.lines.close(), modes.test.lines.close()]);
      });
      return closing;
    },
  };
}

/** The rules may have become stricter since an endpoint was made, so they are asked again, once for each URL. */
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
  lines: Lines,
  { origin, path, headers, body }: OutboundRequest & Target,
  { userAgent, timeoutMs, waitMs }: { userAgent: string; timeoutMs: number; waitMs: number },
): Promise<OutboundResult> {
  const { promise, resolve } = Promise.withResolvers<OutboundResult>();
  let line: Line | undefined;
  let timer: NodeJS.Timeout | undefined;
  let startedAt = 0;
  let settled = false;

  /** `complete`: the line has nothing left over from this exchange and may carry another. */
  function settle(outcome: OutboundAnswer | Failure, complete = false): void {
    if (settled) return;
    settled = true;
    clearTimeout(timer);
    resolve({ ...outcome, durationMs: line === undefined ? 0 : Math.round(performance.now() - startedAt) });
    if (line === undefined) leaveQueue();
    else if (complete) lines.giveBack(line);
    else lines.drop(line);
  }

  const leaveQueue = lines.take(origin, (given) => {
    clearTimeout(timer);
    line = given;
    startedAt = performance.now();
    timer = setTimeout(() => settle(failure('timeout')), timeoutMs);
    send(given);
  });
  if (line === undefined) timer = setTimeout(() => settle(failure('busy')), waitMs);
  return promise;

  function send({ client }: Line): void {
    let statusCode = 0;
    let retryAfter: string | null = null;
    let isText = true;
    let bytes = 0;
    const excerpt: Buffer[] = [];
    const answer = () => ({ statusCode, retryAfter, bodyExcerpt: isText ? textOf(excerpt) : '' });
    client.dispatch(
      { method: 'POST', path, headers: { ...headers, 'user-agent': userAgent }, body },
      {
        onRequestStart() {},
        onResponseStart(_controller, status, fields) {
          // Interim answers go before the one that counts.
          if (status < 200) return;
          statusCode = status;
          retryAfter = String(fields['retry-after'] ?? '').slice(0, maxRetryAfterLength) || null;
          isText = fields['content-encoding'] === undefined || fields['content-encoding'] === 'identity';
        },
        onResponseData(_controller, chunk) {
          if (bytes < excerptBytes) excerpt.push(chunk.subarray(0, excerptBytes - bytes));
          bytes += chunk.length;
          if (bytes >= maxBodyBytes) settle(answer());
        },
        onResponseEnd: () => settle(answer(), true),
        onResponseError: (_controller, error) => settle(failureOf(error)),
      },
    );
  }
}

/** A character that was cut in two at the end is left out. Control characters, NUL above all, are not for databases. */
function textOf(chunks: readonly Buffer[]): string {
  if (chunks.length === 0) return '';
  return new StringDecoder('utf8').write(Buffer.concat(chunks)).replace(/[^\P{Cc}\t\n\r]/gu, '\ufffd');
}
