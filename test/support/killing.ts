// What tests share that kill a process at random moments: the moments, and calls that may get no answer.

import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import type { ApiAnswer } from './api-client.ts';
import { deterministicNumbers } from './deterministic-random.ts';

/** Random numbers whose seed is told, so that a failure can be repeated with CHAOS_SEED=<seed>. */
export function chaosNumbers(test: { diagnostic(message: string): void }): () => number {
  const given = Number(process.env.CHAOS_SEED);
  const seed = Number.isInteger(given) ? given : randomInt(2 ** 31);
  test.diagnostic(`CHAOS_SEED=${seed}`);
  return deterministicNumbers(seed);
}

/** Null: the process died before it answered. Anything but success before that is a failure. */
export async function answerUnlessKilled(call: Promise<ApiAnswer>): Promise<ApiAnswer | null> {
  const answer = await call.catch((error: unknown) => {
    if (error instanceof TypeError) return null;
    throw error;
  });
  if (answer !== null) assert.ok(answer.status < 300, answer.text);
  return answer;
}
