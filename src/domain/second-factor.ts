// A user's second factor: the sealed secret of the authenticator app, and recovery codes for when the phone is lost. Each
// code works once.

import { hashToken } from './dashboard-session.ts';
import { base32Digits, type Random } from './ids.ts';
import type { SecretBox } from './secret-box.ts';
import { newTotpSecret, stepOfCode } from './totp.ts';
import { hasSecondFactor, type User } from './user.ts';

const recoveryCodes = 10;
/** 80 random bits: a fast hash is enough. */
const recoveryLength = 16;

/** The app is to be set up: it counts once a code of it has been entered. */
export function withNewSecret(user: User, box: SecretBox, random: Random): { user: User; secret: string } {
  const secret = newTotpSecret(random);
  return { user: { ...sealed(user, secret, box), totpConfirmedAt: null, totpLastStep: 0, recoveryCodes: [] }, secret };
}

/** Null if the code is wrong, or nothing is being set up. */
export function confirmed(
  user: User,
  code: string,
  box: SecretBox,
  now: number,
  random: Random,
): { user: User; codes: readonly string[] } | null {
  const step = user.totpConfirmedAt === null ? appStep(user, code, box, now) : null;
  if (step === null) return null;
  return withRecoveryCodes({ ...user, totpConfirmedAt: now, totpLastStep: step }, random);
}

export function withRecoveryCodes(user: User, random: Random): { user: User; codes: readonly string[] } {
  const codes = Array.from({ length: recoveryCodes }, () => grouped(base32Digits(random(recoveryLength))));
  return { user: { ...user, recoveryCodes: codes.map((code) => hashToken(plain(code))) }, codes };
}

export function withoutSecondFactor(user: User): User {
  return { ...user, totpSecret: null, secretKeyId: null, totpConfirmedAt: null, totpLastStep: 0, recoveryCodes: [] };
}

/** The user after a correct code of the app or a recovery code, neither of which works again; null if it is wrong. */
export function afterCode(
  user: User,
  given: string,
  box: SecretBox,
  now: number,
): { readonly user: User; readonly isRecovery: boolean } | null {
  if (!hasSecondFactor(user)) return null;
  const code = plain(given);
  const step = appStep(user, code, box, now);
  if (step !== null) return { user: { ...user, totpLastStep: step }, isRecovery: false };
  const hash = hashToken(code);
  if (!user.recoveryCodes.includes(hash)) return null;
  return { user: { ...user, recoveryCodes: user.recoveryCodes.filter((one) => one !== hash) }, isRecovery: true };
}

/** Sealed with another key, if there is a secret. */
export function resealedUser(user: User, from: SecretBox, to: SecretBox): User {
  return user.totpSecret === null ? user : sealed(user, from.open(user.totpSecret, context(user)), to);
}

function sealed(user: User, secret: string, box: SecretBox): User {
  return { ...user, totpSecret: box.seal(secret, context(user)), secretKeyId: box.keyId };
}

function appStep(user: User, code: string, box: SecretBox, now: number): number | null {
  if (user.totpSecret === null || !/^\d{6}$/.test(code)) return null;
  return stepOfCode(box.open(user.totpSecret, context(user)), code, now, user.totpLastStep);
}

/** Bound to its row. */
function context({ id }: User): string {
  return `second factor ${id}`;
}

/** As people type it: spaces, dashes and case do not matter. */
function plain(code: string): string {
  return code.replace(/[\s-]/g, '').toLowerCase();
}

function grouped(code: string): string {
  return code.replace(/(.{4})(?=.)/g, '$1-');
}
