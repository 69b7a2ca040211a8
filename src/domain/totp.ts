// One-time passwords of authenticator apps: RFC 6238 with SHA-1, six digits and steps of 30 seconds, which is what all apps
// support.

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Random } from './ids.ts';

const stepMs = 30_000;
const digits = 6;
/** A phone's clock may be a step off, and typing takes time. */
const stepsOff = 1;
/** As RFC 4226 recommends. */
const secretBytes = 20;
const issuer = 'Paydesk';

export function newTotpSecret(random: Random): string {
  return base32(random(secretBytes));
}

/** What the QR code contains. */
export function otpauthUri(secret: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${issuer}&algorithm=SHA1&digits=${digits}&period=${stepMs / 1000}`;
}

/** The time step of a correct code that was not used before; null if the code is wrong or was used. */
export function stepOfCode(secret: string, code: string, now: number, lastStep: number): number | null {
  const current = Math.floor(now / stepMs);
  const key = bytesOf(secret);
  let found: number | null = null;
  for (let step = current - stepsOff; step <= current + stepsOff; step += 1) {
    if (isSame(codeOf(key, step), code) && step > lastStep) found = step;
  }
  return found;
}

export function totpCode(secret: string, now: number): string {
  return codeOf(bytesOf(secret), Math.floor(now / stepMs));
}

function codeOf(key: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', key).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  const number = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

function isSame(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** RFC 4648, as authenticator apps read it. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function base32(bytes: Uint8Array): string {
  let text = '';
  let value = 0;
  let bits = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet.charAt((value >>> (bits - 5)) & 31);
    value &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + alphabet.charAt((value << (5 - bits)) & 31);
}

function bytesOf(text: string): Uint8Array {
  const bytes: number[] = [];
  let value = 0;
  let bits = 0;
  for (const letter of text) {
    value = (value << 5) | alphabet.indexOf(letter);
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((value >>> bits) & 255);
    value &= (1 << bits) - 1;
  }
  return Uint8Array.from(bytes);
}
