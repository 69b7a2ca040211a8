// What a client is made with, checked before anything is sent: a missing key, a live key where a test key is meant, an
// address that is none.

import { AuthenticationError, misuse } from './errors.ts';
import { maxTimerMs, type Runtime, systemRuntime } from './runtime.ts';
import type { Fetch } from './transport.ts';

export interface PaydeskOptions {
  /** `sk_test_…` or `sk_live_…`. By default what the environment variable `PAYDESK_API_KEY` holds. */
  readonly apiKey?: string | undefined;
  /** Where the service is. `http://localhost:4020` unless told. */
  readonly baseUrl?: string | undefined;
  /** The mode that is meant. A key of the other one is refused at once. */
  readonly mode?: 'test' | 'live' | undefined;
  /** How long one attempt may take, from connecting to the last byte. 30 000 unless told. */
  readonly timeoutMs?: number | undefined;
  /** How often a request is sent again after it failed. 3 unless told; 0: never. */
  readonly maxRetries?: number | undefined;
  /** What sends requests; the global `fetch` unless told. */
  readonly fetch?: Fetch | undefined;
  /** For tests: a clock, a pause and dice of your own. */
  readonly runtime?: Partial<Runtime> | undefined;
}

export interface Settings {
  readonly apiKey: string;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly fetch: Fetch;
  readonly runtime: Runtime;
}

export const keyVariable = 'PAYDESK_API_KEY';
const howToGetAKey =
  'Make one with `./bin/paydesk key create` (`--live` for a live one); the first `npm start` of a new Paydesk prints one, too.';

export function settingsFrom(options: PaydeskOptions): Settings {
  const { apiKey = process.env[keyVariable], baseUrl = 'http://localhost:4020', mode } = options;
  const { timeoutMs = 30_000, maxRetries = 3, fetch = globalThis.fetch } = options;
  checkTimeout(timeoutMs);
  checkRetries(maxRetries);
  if (typeof fetch !== 'function')
    throw misuse('option_invalid', 'fetch', '`fetch` must be a function. Without it, Node 20 or later is needed.');
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
  throw misuse('option_invalid', option, `\`${option}\` must be milliseconds, more than 0 and at most ${maxTimerMs}.`);
}

export function checkRetries(maxRetries: number): void {
  if (Number.isInteger(maxRetries) && maxRetries >= 0 && maxRetries <= 20) return;
  throw misuse('option_invalid', 'maxRetries', '`maxRetries` must be a whole number from 0 to 20.');
}

/** Only the shape is looked at, and only as much as mistakes need; the service knows the rest. */
function checkedKey(apiKey: unknown, mode: unknown): string {
  if (apiKey === undefined || apiKey === null || apiKey === '') {
    const pass = `Pass it as \`new Paydesk({ apiKey })\`, or set ${keyVariable}.`;
    throw keyError('api_key_missing', `There is no API key. ${pass} ${howToGetAKey}`);
  }
  if (mode !== undefined && mode !== 'test' && mode !== 'live')
    throw misuse('option_invalid', 'mode', "`mode` must be 'test' or 'live'.");
  const [, ofKey] = typeof apiKey === 'string' ? (/^sk_(test|live)_[0-9A-Za-z]+$/.exec(apiKey) ?? []) : [];
  if (typeof apiKey !== 'string' || ofKey === undefined) throw keyError('api_key_invalid', whyNoKey(apiKey));
  if (mode === undefined || mode === ofKey) return apiKey;
  const meaning = ofKey === 'live' ? 'which moves real money' : 'which moves no money at all';
  throw misuse(
    'mode_mismatch',
    'apiKey',
    `\`mode\` is '${mode}', but the API key is a ${ofKey} key (sk_${ofKey}_…), ${meaning}. Use a ${mode} key (sk_${mode}_…): \`./bin/paydesk key create${mode === 'live' ? ' --live' : ''}\` makes one.`,
  );
}

function whyNoKey(given: unknown): string {
  const rule = `An API key begins with sk_test_ or sk_live_. ${howToGetAKey}`;
  if (typeof given !== 'string') return `The API key is not a string. ${rule}`;
  if (given !== given.trim()) return 'There is a space or line break around the API key. Take it away.';
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
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw wrong('must be an http or https address');
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
    throw wrong('must be an address without a user name, a query or a fragment');
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}
