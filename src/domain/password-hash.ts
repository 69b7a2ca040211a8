// Password hashes: scrypt with the parameters that OWASP recommends (N = 2^17, r = 8, p = 1), in the PHC string format, so
// that stronger parameters can be introduced later. One takes 128 MB and about half a second: whoever computes them for
// others must limit how many at a time.

import { scrypt, timingSafeEqual } from 'node:crypto';
import type { Random } from './ids.ts';

export interface PasswordCost {
  /** The logarithm of N. */
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

export const recommended: PasswordCost = { ln: 17, r: 8, p: 1 };
const saltBytes = 16;
const hashBytes = 32;
const pattern = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/]{22})\$([\w+/]{43})$/;

export async function hashPassword(
  password: string,
  random: Random,
  cost: PasswordCost = recommended,
): Promise<string> {
  const salt = random(saltBytes);
  const key = await derive(password, salt, cost);
  return `$scrypt$ln=${cost.ln},r=${cost.r},p=${cost.p}$${text(salt)}$${text(key)}`;
}

/** If there is no hash to compare with, it takes as long as with one that has this cost. */
export async function isPassword(
  password: string,
  stored: string | null,
  cost: PasswordCost = recommended,
): Promise<boolean> {
  const [, ln, r, p, salt = '', expected = ''] = pattern.exec(stored ?? '') ?? [];
  if (ln === undefined) {
    if (stored !== null) throw new Error('a stored password hash cannot be read');
    await derive(password, new Uint8Array(saltBytes), cost);
    return false;
  }
  const key = await derive(password, Buffer.from(salt, 'base64'), { ln: Number(ln), r: Number(r), p: Number(p) });
  return timingSafeEqual(key, Buffer.from(expected, 'base64'));
}

/** Keyboards may produce the same letter in different ways. */
function derive(password: string, salt: Uint8Array, { ln, r, p }: PasswordCost): Promise<Buffer> {
  const N = 2 ** ln;
  const options = { N, r, p, maxmem: 256 * N * r };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, hashBytes, options, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '');
}
