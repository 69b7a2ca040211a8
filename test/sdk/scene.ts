// What the tests of the SDK share: a client with time of its own, and a server that fails in every way there is.

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

/** Of the right form; no service knows it. */
export const anyKey = `sk_test_${'0'.repeat(33)}`;

export interface FakeTime {
  readonly runtime: Partial<Runtime>;
  /** Every pause that was made, in milliseconds. None was waited for. */
  readonly pauses: number[];
}

/** Pauses end at once and move the clock; the dice always show the middle. */
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
  /** A client of it that takes no time. */
  client(options?: PaydeskOptions): Paydesk;
  readonly pauses: readonly number[];
}

/** A server that gives these answers in turn, the last one for ever. */
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

/** The connection is gone before anything was answered. */
export const reset: Answer = (_, response) => {
  response.socket?.resetAndDestroy();
  return undefined;
};

/** Nothing is ever answered, or only the begin of an answer. Tells when the client hangs up. */
export function hang({ inBody, onClosed }: { inBody: boolean; onClosed: () => void }): Answer {
  return (_, response) => {
    response.on('close', onClosed);
    if (inBody) response.writeHead(200, { 'Content-Type': 'application/json' }).write('{"id":');
    return new Promise(() => {});
  };
}

/** The begin of an answer, and then the connection is gone. */
export const cutInBody: Answer = (_, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' });
  response.write('{"id":');
  setImmediate(() => response.destroy());
  return new Promise(() => {});
};

export const keyOf = ({ headers }: ReceivedRequest): string | undefined => headers['idempotency-key']?.toString();

/** A client of a real Paydesk, for the test mode of a merchant. */
export function clientOf(server: PaydeskServer, { test }: TestMerchant, options: PaydeskOptions = {}): Paydesk {
  return new Paydesk({ apiKey: test.key, baseUrl: server.url, mode: 'test', ...options });
}

type ErrorClass = new (...given: never[]) => PaydeskError;

/** The error that it is rejected with, which must be of that class. */
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
