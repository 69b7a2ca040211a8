// Idempotency keys, and how long they protect.
//
// Mollie returns its first response to a repeated POST as long as it keeps the key: one hour from the first request. An
// operation is created here before its first request, so until `repeatableMs` after its creation every earlier request
// is younger than an hour, and a repeat can never do anything twice. Afterwards nothing is sent any more: what exists at
// Mollie is found by our id in its metadata, and what is not found was never made. `settledMs` leaves time for a last
// request that is still on its way.

import { createHash } from 'node:crypto';
import type { AcquirerOperation } from '../acquirer.ts';

const minuteMs = 60_000;
const repeatableMs = 45 * minuteMs;
const settledMs = 60 * minuteMs;

/** Mollie asks for UUIDs, so this has the form of one. */
export function idempotencyKey(operationId: string): string {
  const hex = createHash('sha256').update(`paydesk ${operationId}`).digest('hex');
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) % 4);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

export function mayRepeat({ createdAt }: AcquirerOperation, now: number): boolean {
  return now - createdAt < repeatableMs;
}

/** No request of the operation can arrive any more. */
export function isPastArrival({ createdAt }: AcquirerOperation, now: number): boolean {
  return now - createdAt >= settledMs;
}
