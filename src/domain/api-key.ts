// API keys: `sk_test_` or `sk_live_`, 130 random bits, and a checksum. The checksum distinguishes a mistyped key from
// an unknown one without a lookup, and lets scanners recognise a leaked key. Only the SHA-256 of a key is ever stored.

import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { base32, base32Digits, type Random } from './ids.ts';
import type { Merchant } from './merchant.ts';

export interface ApiKey {
  readonly id: string;
  readonly merchantId: string;
  readonly livemode: boolean;
  readonly version: number;
  readonly name: string | null;
  readonly hash: string;
  /** The last four characters, by which people recognise a key. */
  readonly lastFour: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
  /** When it stops working, because it was replaced by another key; null: it does not end by itself. */
  readonly expiresAt: number | null;
}

export type KeyState = 'active' | 'revoked' | 'expired';

export function keyStateAt({ revokedAt, expiresAt }: ApiKey, now: number): KeyState {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
}

export interface Credential {
  readonly key: ApiKey;
  readonly merchant: Merchant;
}

const secretLength = 26;
const checksumLength = 7;
const keyPattern = new RegExp(`^sk_(?:test|live)_[0-9a-z]{${secretLength + checksumLength}}$`);

export function newApiKeySecret(livemode: boolean, random: Random): string {
  const body = `sk_${livemode ? 'live' : 'test'}_${base32Digits(random(secretLength))}`;
  return body + checksum(body);
}

function checksum(body: string): string {
  return base32(crc32(body), checksumLength);
}

/** True for any key that this service could have issued, whether or not it did. */
export function isApiKeySecret(text: string): boolean {
  return keyPattern.test(text) && checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength);
}

export function hashApiKey(secret: string): string {
  return hash('sha256', secret, 'hex');
}
