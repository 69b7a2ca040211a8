// Idempotency: a request that is repeated with its key gets the first response and has no second effect.

import { hash } from 'node:crypto';
import type { Scope } from './merchant.ts';
import type { SecretBox } from './secret-box.ts';

/** Records are kept at least this long. */
export const idempotencyRetentionMs = 24 * 60 * 60 * 1000;

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isIdempotencyKey(text: string): boolean {
  return uuidPattern.test(text);
}

export interface IdempotencyRecord extends Scope {
  readonly key: string;
  /** The version it was read at; 0 if not stored yet. */
  readonly version: number;
  readonly fingerprint: string;
  /** The HTTP status of the response; `unanswered` until there is one. */
  readonly status: number;
  /** The response body, or the progress towards it. Sealed, because it may contain a secret that is shown only once. */
  readonly sealedBody: Uint8Array;
  readonly createdAt: number;
}

/**
 * A request that takes several commits reserves its key in the first one, so that no other request can have an effect
 * with that key. Its response is stored in the last one.
 */
const unanswered = 0;

export function isAnswered({ status }: IdempotencyRecord): boolean {
  return status !== unanswered;
}

/** The record of a key whose request is in progress; a retry continues from `progress`. */
export function reserveKey(
  box: SecretBox,
  record: Pick<IdempotencyRecord, 'key' | 'fingerprint' | keyof Scope>,
  now: number,
  progress: string,
): IdempotencyRecord {
  return { ...record, version: 0, status: unanswered, sealedBody: sealResponse(box, record, progress), createdAt: now };
}

/** Bound to its key: a response copied to another key cannot be decrypted. */
function sealContext({ merchantId, livemode, key }: Pick<IdempotencyRecord, 'key' | keyof Scope>): string {
  return `idempotency ${merchantId} ${livemode} ${key}`;
}

export function sealResponse(
  box: SecretBox,
  record: Pick<IdempotencyRecord, 'key' | keyof Scope>,
  text: string,
): Uint8Array {
  return box.seal(text, sealContext(record));
}

export function openResponse(box: SecretBox, record: IdempotencyRecord): string {
  return box.open(record.sealedBody, sealContext(record));
}

/** Equal for requests with the same meaning, regardless of the order of their fields. */
export function requestFingerprint(method: string, path: string, body: unknown): string {
  return hash('sha256', `${method} ${path}\n${canonicalJson(body ?? {})}`, 'hex');
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}
