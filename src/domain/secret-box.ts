// The installation's secret key, and what is derived from it: a separate key for each purpose, so that a leak of one
// reveals nothing about the others. Sealing is for values that must be shown or used again, but never stored in plain
// text.

import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync } from 'node:crypto';
import { base32Digits, type Random } from './ids.ts';

const nonceBytes = 12;
const tagBytes = 16;
export const secretKeyBytes = 32;

/**
 * The first byte of everything encrypted with the sealing key. Older versions encrypted with the secret key itself,
 * without this byte.
 */
const layout = 1;

/**
 * What secrets are derived for, each with its own key. These strings are part of the derivation and must never change.
 */
export type Purpose =
  | 'card fingerprint'
  | 'address fingerprint'
  | 'logged address'
  | 'form token'
  | 'link visitor'
  | 'client secret'
  | 'csrf token'
  | 'sign-in counter'
  | 'known device';

export interface SecretBox {
  /** Identifies the key without revealing it. */
  readonly keyId: string;
  /** `context` is authenticated: a value sealed for one context cannot be opened in another. */
  seal(text: string, context: string): Uint8Array;
  open(sealed: Uint8Array, context: string): string;
  /** A secret that can be derived again from `what`, so it need not be stored. */
  derive(purpose: Purpose, what: string): string;
}

/** AES-256-GCM, as layout, nonce, tag, ciphertext; the keys are derived by HKDF-SHA-256 with the purpose as label. */
export function secretBox(key: Uint8Array, random: Random): SecretBox {
  if (key.length !== secretKeyBytes) throw new RangeError(`a secret key has ${secretKeyBytes} bytes`);
  const keys = new Map<string, Uint8Array>();
  function keyFor(purpose: Purpose | 'sealing'): Uint8Array {
    const made = keys.get(purpose) ?? new Uint8Array(hkdfSync('sha256', key, '', `paydesk ${purpose}`, secretKeyBytes));
    keys.set(purpose, made);
    return made;
  }
  return {
    keyId: hash('sha256', Buffer.concat([Buffer.from('paydesk key id\n'), key]), 'hex').slice(0, 16),
    seal(text, context) {
      const nonce = random(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', keyFor('sealing'), nonce).setAAD(Buffer.from(context));
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([Uint8Array.of(layout), nonce, cipher.getAuthTag(), ciphertext]);
    },
    open(sealed, context) {
      if (sealed[0] !== layout) return decrypt(key, sealed, context);
      try {
        return decrypt(keyFor('sealing'), sealed.subarray(1), context);
      } catch {
        // One in 256 values without a layout byte happens to begin with it.
        return decrypt(key, sealed, context);
      }
    },
    derive: (purpose, what) => base32Digits(createHmac('sha256', keyFor(purpose)).update(what).digest()),
  };
}

/** Throws if the key, the context or any bit differs. */
function decrypt(key: Uint8Array, sealed: Uint8Array, context: string): string {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
  return decipher.update(sealed.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
}
