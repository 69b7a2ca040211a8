// Lets time pass until the jobs of the service have brought a payment to a status.

import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Fields } from '../support/api-client.ts';
import { patienceMs } from '../support/until.ts';
import { intentOf, passTime, type Scene } from './scene.ts';

/** `stepMs` of the service's time pass between two looks, so that whatever is due in between is done. */
export async function passTimeUntil(scene: Scene, session: Fields, status: string, stepMs = 5_000): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const intent = await intentOf(scene, session);
    if (intent.status === status) return;
    assert.ok(performance.now() < deadline, `never became ${status}: ${JSON.stringify(intent)}`);
    await passTime(scene, stepMs);
    await pause(20);
  }
}
