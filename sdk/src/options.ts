// The options of a client, validated before anything is sent: a missing key, a live key instead of a test key, an
// invalid URL.

import { AuthenticationError, misuse } from './errors.ts';
import { maxTimerMs, type Runtime, systemRuntime } from './runtime.ts';
import type { Fetch } from './transport.ts';

export interface PaydeskOptions {
  /** `sk_test_…` or `sk_live_…`. By default the environment variable `PAYDESK_API_KEY`. */
  readonly apiKey?: string | undefined;
  /** The URL of the service. `http://localhost:4020` by default. */
  readonly baseUrl?: string | undefined;
  /** The expected mode. A key of the other mode is rejected immediately. */
  readonly mode?: 'test' | 'live' | undefined;
  /** The timeout of one attempt, from connecting to the last byte. 30 000 by default. */
  readonly timeoutMs?: number | undefined;
  /** How often a failed request is retried. 3 by default; 0 disables retries. */
  readonly maxRetries?: number | undefined;
  /** Sends requests; the global `fetch` by default. */
  readonly fetch?: Fetch | undefined;
  /** For tests: your own clock, pauses and random numbers. */
  readonly runtime?: Partial<Runtime> | undefined;
}

export interface Settings {
  readonly apiKey: string;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly fetch: Fetch;
  readonly runtime: Runtime;
}

export const keyVariable = 'PAYDESK_API_KEY';
const howToGetAKey =
  'Create one with `./bin/paydesk key create` (`--live` for a live key). The first `npm start` of a new Paydesk also prints one.';

export function settingsFrom(options: PaydeskOptions): Settings {
  const { apiKey = process.env[keyVariable], baseUrl = 'http://localhost:4020', mode } = options;
  const { timeoutMs = 30_000, maxRetries = 3, fetch = globalThis.fetch } = options;
  checkTimeout(timeoutMs);
  checkRetries(maxRetries);
  if (typeof fetch !== 'function')
    throw misuse('option_invalid', 'fetch', '`fetch` must be a function. The default requires Node 20 or later.');
  return {
    apiKey: checkedKey(apiKey, mode),
    baseUrl: checkedBaseUrl(baseUrl),
    timeoutMs,
    maxRetries,
    fetch,
    runtime: { ...systemRuntime, ...options.runtime },
  };
}

export function checkTimeout(timeoutMs: number, option = 'timeoutMs'): void {
  if (typeof timeoutMs === 'number' && timeoutMs > 0 && timeoutMs <= maxTimerMs) return;
  throw misuse(
    'option_invalid',
    option,
    `\`${option}\` must be a number of milliseconds, more than 0 and at most ${maxTimerMs}.`,
  );
}

export function checkRetries(maxRetries: number): void {
  if (Number.isInteger(maxRetries) && maxRetries >= 0 && maxRetries <= 20) return;
  throw misuse('option_invalid', 'maxRetries', '`maxRetries` must be an integer from 0 to 20.');
}

/** Checks only the format, as far as needed to catch mistakes; the service checks the rest. */
function checkedKey(apiKey: unknown, mode: unknown): string {
  if (apiKey === undefined || apiKey === null || apiKey === '') {
    const pass = `Pass it as \`new Paydesk({ apiKey })\`, or set ${keyVariable}.`;
    throw keyError('api_key_missing', `The API key is missing. ${pass} ${howToGetAKey}`);
  }
  if (mode !== undefined && mode !== 'test' && mode !== 'live')
    throw misuse('option_invalid', 'mode', "`mode` must be 'test' or 'live'.");
  const [, ofKey] = typeof apiKey === 'string' ? (/^sk_(test|live)_[0-9A-Za-z]+$/.exec(apiKey) ?? []) : [];
  if (typeof apiKey !== 'string' || ofKey === undefined) throw keyError('api_key_invalid', whyNoKey(apiKey));
  if (mode === undefined || mode === ofKey) return apiKey;
  const meaning = ofKey === 'live' ? 'which moves real money' : 'which does not move money';
  throw misuse(
    'mode_mismatch',
    'apiKey',
    `\`mode\` is '${mode}', but the API key is a ${ofKey} key (sk_${ofKey}_…), ${meaning}. Use a ${mode} key (sk_${mode}_…): \`./bin/paydesk key create${mode === 'live' ? ' --live' : ''}\` creates one.`,
  );
}

function whyNoKey(given: unknown): string {
  const rule = `An API key starts with sk_test_ or sk_live_. ${howToGetAKey}`;
  if (typeof given !== 'string') return `The API key is not a string. ${rule}`;
  if (given !== given.trim()) return 'The API key starts or ends with a space or line break. Remove it.';
  if (given.startsWith('whsec_')) return `This is the secret of a webhook endpoint, not an API key. ${rule}`;
  if (given.startsWith('key_')) return `This is the id of an API key, not the key itself. ${rule}`;
  return `This is not an API key. ${rule}`;
}

function keyError(code: 'api_key_missing' | 'api_key_invalid', message: string): AuthenticationError {
  return new AuthenticationError({ type: 'authentication_error', code, param: 'apiKey', message });
}

function checkedBaseUrl(given: unknown): string {
  const wrong = (problem: string) =>
    misuse('option_invalid', 'baseUrl', `\`baseUrl\` ${problem}, such as http://localhost:4020.`);
  const url = typeof given === 'string' && URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw wrong('must be an http or https URL');
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
    throw wrong('must be a URL without a user name, query or fragment');
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}
