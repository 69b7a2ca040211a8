// A route takes a request and answers with a reply, as values: nothing in between can send anything by itself.

import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Refusal } from '../domain/errors.ts';

export interface HttpRequest {
  /** `req_…`: in the answer's Request-Id header and in the log. */
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  /** The `:id` of the path; empty where there is none. May be anything. */
  readonly id: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** The client's address in its one spelling, as far as trusted proxies tell it. To count by, take its network. */
  readonly ip: string;
  /** How the client's connection reached a trusted proxy; null where none says. */
  readonly protocol: 'http' | 'https' | null;
  /** Reads the body; refused when it is larger than that, or than any body may be. */
  body(maxBytes?: number): Promise<Uint8Array | Refusal>;
}

/** A list: one header for each, as `Set-Cookie` needs it. */
export type ReplyHeaders = Readonly<Record<string, string | readonly string[]>>;

export interface HttpReply {
  readonly status: number;
  readonly headers: ReplyHeaders;
  readonly body: string | Uint8Array;
  /** What follows bit by bit, instead of `body`, for as long as it lasts. The server destroys what it does not send. */
  readonly stream?: Readable;
  /** What the log tells beside method, route and status. */
  readonly log?: { readonly key?: string; readonly subject?: string };
}

export interface Route {
  readonly method: string;
  /** Such as `/payment-intents/:id/cancel`; only the second part can be `:id`. */
  readonly path: string;
  readonly handle: (request: HttpRequest) => HttpReply | Promise<HttpReply>;
  /** What to answer when `handle` throws; by default the API's error. */
  readonly fault?: (request: HttpRequest, refusal: Refusal) => HttpReply;
}

export const json = 'application/json; charset=utf-8';
