// Makes many payments one step at a time: all sessions, then all pages, then all payments, so that each step can be
// measured alone.

import type { RawResponse } from './connection.ts';
import { createRequest, formIn, type PaymentForm, pageRequest, payRequest, sessionIdIn } from './customer.ts';
import { runLoad } from './load.ts';

const connections = 64;
const longestMs = 300_000;

/** Sends that many requests, and returns how many were answered. */
export async function runMany(
  port: number,
  count: number,
  expectedStatus: number,
  request: () => string,
  onResponse: (response: RawResponse) => void = () => {},
): Promise<number> {
  let left = count;
  const next = (): string | null => {
    left -= 1;
    return left < 0 ? null : request();
  };
  const result = await runLoad({
    port,
    connections,
    durationMs: longestMs,
    expectedStatus,
    request: next,
    onResponse,
  });
  if (result.count !== count) throw new Error(`${result.count} of ${count} requests in ${longestMs / 1000} s`);
  return count;
}

/** Each step is to be done once, in this order; each returns how many it did. */
export function payInSteps(port: number, apiKey: string, count: number) {
  const sessions: string[] = [];
  const forms: PaymentForm[] = [];
  const taking = <Value>(values: readonly Value[], request: (value: Value) => string) => {
    const remaining = values.values();
    return (): string => {
      const { value, done } = remaining.next();
      if (done === true) throw new Error('the step before was not completed');
      return request(value);
    };
  };
  return {
    create: () =>
      runMany(
        port,
        count,
        201,
        () => createRequest(apiKey),
        (response) => sessions.push(sessionIdIn(response)),
      ),
    openPages: () =>
      runMany(port, count, 200, taking(sessions, pageRequest), (response) => forms.push(formIn(response))),
    pay: () => runMany(port, count, 303, taking(forms, payRequest)),
  };
}
