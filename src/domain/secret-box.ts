// Sealing with the installation's secret key: what must be shown again, or signed with, but never lie in the clear.

import { createCipheriv, createDecipheriv, createHmac, hash } from 'node:crypto';
import { base32Digits, type Random } from './ids.ts';

const nonceBytes = 12;
const tagBytes = 16;
export const secretKeyBytes = 32;

export interface SecretBox {
  /** Names the key without telling it. */
  readonly keyId: string;
  /** `context` is bound in: what was sealed for one place does not open in another. */
  seal(text: string, context: string): Uint8Array;
  open(sealed: Uint8Array, context: string): string;
  /** A secret that can be made again from what it is for, so that it need not be stored. */
  derive(purpose: string): string;
}

/** AES-256-GCM, laid out as nonce, tag, ciphertext. */
export function secretBox(key: Uint8Array, random: Random): SecretBox {
  if (key.length !== secretKeyBytes) throw new RangeError(`a secret key has ${secretKeyBytes} bytes`);
  return {
    keyId: hash('sha256', Buffer.concat([Buffer.from('paydesk key id\n'), key]), 'hex').slice(0, 16),
    seal(text, context) {
      const nonce = random(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
    },
    open(sealed, context) {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
        .setAAD(Buffer.from(context))
        .setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
      return decipher.update(sealed.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
    },
    derive: (purpose) => base32Digits(createHmac('sha256', key).update(purpose).digest()),
  };
}
