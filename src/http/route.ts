// A route maps a request to a reply, both plain values: no handler can send anything by itself.

import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Refusal } from '../domain/errors.ts';

export interface HttpRequest {
  /** `req_…`: also in the Request-Id header of the response and in the log. */
  readonly requestId: string;
  /** When it arrived, as `performance.now()`. */
  readonly startedAt: number;
  readonly method: string;
  readonly path: string;
  /** The `:id` of the path, unchecked; empty if the path has none. */
  readonly id: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** The client's canonical address, as far as trusted proxies report it. For counting, use its network. */
  readonly ip: string;
  /** How the client reached a trusted proxy; null if none reports it. */
  readonly protocol: 'http' | 'https' | null;
  /** Reads the body; refuses one larger than `maxBytes` or the server's limit. */
  body(maxBytes?: number): Promise<Uint8Array | Refusal>;
}

/** An array becomes one header per value, as `Set-Cookie` requires. */
export type ReplyHeaders = Readonly<Record<string, string | readonly string[]>>;

export interface HttpReply {
  readonly status: number;
  readonly headers: ReplyHeaders;
  readonly body: string | Uint8Array;
  /** Sent instead of `body`, as data becomes available. The server destroys a stream that it does not send. */
  readonly stream?: Readable;
  /** What is logged in addition to method, route and status. */
  readonly log?: { readonly key?: string; readonly subject?: string };
}

export interface Route {
  readonly method: string;
  /**
   * For example `/payment-intents/:id/cancel`, with at most one `:id`; or `/dashboard/*`, for every path below `/dashboard/`
   * that no other route has.
   */
  readonly path: string;
  readonly handle: (request: HttpRequest) => HttpReply | Promise<HttpReply>;
  /** The reply when `handle` throws; an API error by default. */
  readonly fault?: (request: HttpRequest, refusal: Refusal) => HttpReply;
}

export const json = 'application/json; charset=utf-8';
