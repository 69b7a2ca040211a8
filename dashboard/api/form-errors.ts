// Where a form shows what is wrong: at the field that the server or the form itself names, or else above its buttons.

import { ApiError, isDismissed, messageOf } from './api-error.ts';

export interface FormErrors {
  /** The error of the field with that name in the API. */
  readonly at: (param: string) => string | null;
  /** What concerns no field of the form. */
  readonly form: string | null;
}

/** `error`: null if nothing is wrong. `params`: the fields of the form, by their names in the API. */
export function formErrors(error: unknown, params: readonly string[]): FormErrors {
  if (error === null || error === undefined || isDismissed(error)) return { at: () => null, form: null };
  const named = error instanceof ApiError ? (error.param?.split(/[.[]/)[0] ?? null) : null;
  const message = messageOf(error);
  if (named === null || !params.includes(named)) return { at: () => null, form: message };
  return { at: (param) => (param === named ? message : null), form: null };
}

/** What the form itself finds wrong, before anything is sent. */
export function invalid(param: string, message: string): ApiError {
  return new ApiError(message, { status: 0, code: 'invalid', param });
}
