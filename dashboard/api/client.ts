// Calls the dashboard's API: adds the scope and the CSRF token, and turns every failure into an ApiError.

import { ApiError } from './api-error.ts';
import { isUnattended } from './attention.ts';
import { askForPassword } from './password-prompt.ts';
import { currentScope, type Scope } from './scope.ts';
import type { ErrorBody, Session } from './types.ts';

export const apiPath = '/dashboard/api';

export type QueryValues = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface CallOptions {
  readonly query?: QueryValues;
  readonly body?: unknown;
  /** Makes a repeated call harmless, as in the API. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
  /**
   * By default what this tab shows now, which may change between two calls. Null: the call has to work whatever it shows,
   * as the user may no longer work for that merchant.
   */
  readonly scope?: Scope | null;
  /**
   * What the call does with the session. While one replaces it, no window of this browser reads it: until the new cookie has
   * arrived, the server would say that nobody is signed in.
   */
  readonly session?: 'read' | 'replaced';
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

let csrfToken: string | null = null;
let onSignedOut: () => void = () => {};
let onSecondFactorRequired: () => void = () => {};
let onMerchantRefused: (merchant: string) => void = () => {};
let onRoleRefused: () => void = () => {};
let renewToken: () => Promise<boolean> = async () => false;

/** Called with each session that the server reports. */
export function rememberToken(session: Session): void {
  csrfToken = session.signed_in ? session.csrf_token : null;
}

/** `listener` is called when the server says that the session has ended. */
export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener;
}

/** `listener` is called when the merchant requires a second factor that the user does not have yet. */
export function whenSecondFactorRequired(listener: () => void): void {
  onSecondFactorRequired = listener;
}

/** `listener` is called when the server says that the user does not work for the merchant of a call. */
export function whenMerchantRefused(listener: (merchant: string) => void): void {
  onMerchantRefused = listener;
}

/** `listener` is called when the user's role does not allow something that the page still shows. */
export function whenRoleRefused(listener: () => void): void {
  onRoleRefused = listener;
}

/** `renew` is called when the session or its CSRF token is not valid any more. It resolves to whether there is another one. */
export function whenTokenRefused(renew: () => Promise<boolean>): void {
  renewToken = renew;
}

export const get = <Reply>(path: string, options?: CallOptions): Promise<Reply> => call<Reply>('GET', path, options);
export const post = <Reply>(path: string, body: unknown = {}, options?: CallOptions): Promise<Reply> =>
  call<Reply>('POST', path, { ...options, body });
export const patch = <Reply>(path: string, body: unknown, options?: CallOptions): Promise<Reply> =>
  call<Reply>('PATCH', path, { ...options, body });
export const remove = <Reply>(path: string, options?: CallOptions): Promise<Reply> =>
  call<Reply>('DELETE', path, options);

/** For what the browser requests without headers: downloads, pictures and streams. */
export function addressOf(path: string, query: QueryValues = {}): string {
  return apiPath + path + queryText({ ...query, ...currentScope() });
}

async function call<Reply>(
  method: Method,
  path: string,
  options: CallOptions & { readonly hasNewToken?: boolean } = {},
): Promise<Reply> {
  const { scope = currentScope() } = options;
  const response = await send(method, path, { ...options, scope });
  if (response.ok) return (response.status === 204 ? undefined : await response.json()) as Reply;
  const error = await errorFrom(response);
  if (error.code === 'password_required') {
    await askForPassword();
    return call(method, path, { ...options, scope });
  }
  // Another window may have replaced the session while this call was on its way.
  const isOfOlderSession = error.code === 'csrf_token_invalid' || error.code === 'sign_in_required';
  if (isOfOlderSession && options.hasNewToken !== true && (await renewToken()))
    return call(method, path, { ...options, scope, hasNewToken: true });
  if (error.code === 'sign_in_required') onSignedOut();
  if (error.code === 'role_not_allowed') onRoleRefused();
  if (error.code === 'second_factor_required') onSecondFactorRequired();
  // With a parameter, it is about a merchant that the call names, and not about the one that it was made for.
  const isOwnMerchant = error.code === 'merchant_not_found' && error.param === null;
  if (isOwnMerchant && scope !== null) onMerchantRefused(scope.merchant);
  throw error;
}

async function send(
  method: Method,
  path: string,
  { scope, ...options }: CallOptions & { readonly scope: Scope | null },
): Promise<Response> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (scope !== null) {
    headers['Paydesk-Merchant'] = scope.merchant;
    headers['Paydesk-Mode'] = scope.mode;
  }
  if (isUnattended()) headers['Paydesk-Background'] = 'true';
  if (method !== 'GET') {
    if (options.body !== undefined) headers['Content-Type'] = 'application/json';
    if (csrfToken !== null) headers['X-CSRF-Token'] = csrfToken;
  }
  if (options.idempotencyKey !== undefined) headers['Idempotency-Key'] = options.idempotencyKey;
  const request: RequestInit = { method, headers, credentials: 'same-origin', redirect: 'error' };
  if (options.body !== undefined) request.body = JSON.stringify(options.body);
  if (options.signal !== undefined) request.signal = options.signal;
  try {
    return await withSessionLock(options, () => fetch(apiPath + path + queryText(options.query ?? {}), request));
  } catch (error) {
    if (options.signal?.aborted === true) throw error;
    throw new ApiError('Paydesk cannot be reached. Check your connection, and try again.', {
      status: 0,
      code: 'unreachable',
    });
  }
}

/** Browsers have no locks for pages over plain http, except on this machine. */
function withSessionLock({ session, signal }: CallOptions, work: () => Promise<Response>): Promise<Response> {
  const locks: LockManager | undefined = navigator.locks;
  if (session === undefined || locks === undefined) return work();
  const mode = session === 'read' ? 'shared' : 'exclusive';
  return locks.request('paydesk session', { mode, ...(signal !== undefined && { signal }) }, work);
}

/** Forms choose the key. */
const adviceForDevelopers = /[^.]*\btry again with a new Idempotency-Key\./;

/** Errors that the API words for developers. Repeating what was done is harmless: forms keep their idempotency key. */
const wordsFor: Readonly<Record<string, string>> = {
  storage_unavailable: 'The database cannot be reached at the moment. Nothing is lost: try again shortly.',
};

export async function errorFrom(response: Response): Promise<ApiError> {
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  const known = {
    status: response.status,
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
  };
  const body = (await response.json().catch(() => null)) as Partial<ErrorBody> | null;
  const error = body?.error;
  if (error === undefined) {
    return new ApiError(`Paydesk cannot answer at the moment (status ${response.status}). Try again.`, {
      ...known,
      code: 'unexpected_reply',
    });
  }
  return new ApiError(
    wordsFor[error.code] ?? error.message.replace(adviceForDevelopers, ' Check its status before you try again.'),
    {
      ...known,
      code: error.code,
      param: error.param,
      requestId: error.request_id,
    },
  );
}

function queryText(query: QueryValues): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}
