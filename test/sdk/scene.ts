// Shared by the SDK tests: a client with a fake clock, and a server that fails in every possible way.

import assert from 'node:assert/strict';
import { type List, Paydesk, type PaydeskError, type PaydeskOptions, type Runtime } from '../../sdk/src/paydesk.ts';
import type { CleansUp } from '../support/engines.ts';
import type { Paydesk as PaydeskServer, TestMerchant } from '../support/paydesk.ts';
import {
  type Answer,
  type FixedResponse,
  type ReceivedRequest,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../support/webhook-receiver.ts';

/** Well-formed, but unknown to any service. */
export const anyKey = `sk_test_${'0'.repeat(33)}`;

export interface FakeTime {
  readonly runtime: Partial<Runtime>;
  /** All pauses in milliseconds; none takes real time. */
  readonly pauses: number[];
}

/** Pauses end immediately and advance the clock; random numbers are always 0.5. */
export function fakeTime(onPause: (count: number) => unknown = () => {}): FakeTime {
  const pauses: number[] = [];
  let now = Date.UTC(2026, 0, 15, 12, 30);
  return {
    pauses,
    runtime: {
      now: () => now,
      random: () => 0.5,
      async sleep(ms, signal) {
        signal?.throwIfAborted();
        pauses.push(ms);
        now += ms;
        await onPause(pauses.length);
        signal?.throwIfAborted();
      },
    },
  };
}

export interface Script extends WebhookReceiver {
  /** A client of this server whose pauses take no real time. */
  client(options?: PaydeskOptions): Paydesk;
  readonly pauses: readonly number[];
}

/** A server that sends these responses in order and then repeats the last one. */
export async function scripted(test: CleansUp, ...answers: readonly Answer[]): Promise<Script> {
  const receiver = await startWebhookReceiver(test);
  const { runtime, pauses } = fakeTime();
  let count = 0;
  receiver.answerWith(async (request, response) => {
    const answer = answers[Math.min(count, answers.length - 1)] ?? {};
    count += 1;
    return typeof answer === 'function' ? answer(request, response) : answer;
  });
  const client = (options: PaydeskOptions = {}): Paydesk =>
    new Paydesk({ apiKey: anyKey, baseUrl: receiver.url, runtime, ...options });
  return { ...receiver, requests: receiver.requests, pauses, client };
}

export const json = (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): FixedResponse => ({
  status,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

export const refused = (
  status: number,
  [type, code]: readonly [string, string],
  headers: Readonly<Record<string, string>> = {},
): FixedResponse => json({ error: { type, code, message: `No: ${code}.`, request_id: 'req_1' } }, status, headers);

export const unavailable: FixedResponse = refused(503, ['api_error', 'storage_unavailable']);

/** Resets the connection before any response. */
export const reset: Answer = (_, response) => {
  response.socket?.resetAndDestroy();
  return undefined;
};

/** Sends no response, or only its beginning. Calls `onClosed` when the client disconnects. */
export function hang({ inBody, onClosed }: { inBody: boolean; onClosed: () => void }): Answer {
  return (_, response) => {
    response.on('close', onClosed);
    if (inBody) response.writeHead(200, { 'Content-Type': 'application/json' }).write('{"id":');
    return new Promise(() => {});
  };
}

/** Sends the beginning of a response and then closes the connection. */
export const cutInBody: Answer = (_, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' });
  response.write('{"id":');
  setImmediate(() => response.destroy());
  return new Promise(() => {});
};

export const keyOf = ({ headers }: ReceivedRequest): string | undefined => headers['idempotency-key']?.toString();

/** A client of a real Paydesk in a merchant's test mode. */
export function clientOf(server: PaydeskServer, { test }: TestMerchant, options: PaydeskOptions = {}): Paydesk {
  return new Paydesk({ apiKey: test.key, baseUrl: server.url, mode: 'test', ...options });
}

type ErrorClass = new (...given: never[]) => PaydeskError;

/** Returns the error that the promise is rejected with, which must have this class. */
export async function rejectedWith(Class: ErrorClass, work: Promise<unknown>): Promise<PaydeskError> {
  const error: unknown = await work.then(
    () => assert.fail(`expected a ${Class.name}`),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Class, String(error));
  return error;
}

export async function allOf<Item>(list: List<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}
