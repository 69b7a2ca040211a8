// Asks for the password when the server wants it again before a sensitive action. The dialog registers itself here, so that
// the API client needs to know nothing about components.

import { ApiError } from './api-error.ts';

/** Resolves when the password was confirmed, rejects when the user closes the dialog. */
type Prompt = () => Promise<void>;

let prompt: Prompt | null = null;
let asking: Promise<void> | null = null;

export function registerPrompt(shown: Prompt | null): void {
  prompt = shown;
}

/** Calls that need the password at the same time share one dialog. */
export function askForPassword(): Promise<void> {
  if (prompt === null) return Promise.reject(dismissed());
  asking ??= prompt().finally(() => {
    asking = null;
  });
  return asking;
}

export function dismissed(): ApiError {
  return new ApiError('Your password was not confirmed.', { status: 0, code: 'dismissed' });
}
