// For tests that kill a process at random moments: the random numbers, and calls that may get no response.

import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import type { ApiResponse } from './api-client.ts';
import { deterministicNumbers } from './deterministic-random.ts';

/** Prints the seed, so that a failure can be reproduced with CHAOS_SEED=<seed>. */
export function chaosNumbers(test: { diagnostic(message: string): void }): () => number {
  const given = Number(process.env.CHAOS_SEED);
  const seed = Number.isInteger(given) ? given : randomInt(2 ** 31);
  test.diagnostic(`CHAOS_SEED=${seed}`);
  return deterministicNumbers(seed);
}

/** Returns null if the process died before it responded. Any response must be a success. */
export async function responseUnlessKilled(call: Promise<ApiResponse>): Promise<ApiResponse | null> {
  const response = await call.catch((error: unknown) => {
    if (error instanceof TypeError) return null;
    throw error;
  });
  if (response !== null) assert.ok(response.status < 300, response.text);
  return response;
}
