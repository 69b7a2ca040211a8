// Finds out who is calling: from the Authorization header to a merchant and a mode.

import { type Credential, hashApiKey, isApiKeySecret, keyStateAt } from '../domain/api-key.ts';
import { isRefusal, type Refusal, refuse } from '../domain/errors.ts';
import type { Merchant, Scope } from '../domain/merchant.ts';
import { type Clock, isoTime } from '../domain/moment.ts';
import type { KeyUse, Store } from '../storage/store.ts';
import { boundedWork } from './bounded-work.ts';

export interface Caller extends Scope {
  readonly merchant: Merchant;
  readonly keyId: string;
}

export interface Authenticator {
  /** The result if it is already known, otherwise a look-up to run. */
  authenticate(authorization: string | undefined): Caller | Refusal | KeyLookUp;
  /** Stores which keys were used since the last call; if that fails, the next call tries again. */
  recordUses(): Promise<void>;
}

export interface KeyLookUp {
  /** This process has not seen the key. Anybody can make up one that looks valid, so such look-ups are limited. */
  readonly isGuess: boolean;
  run(): Promise<Caller | Refusal>;
}

/** Changes made by another process, such as revoking a key, take effect here within a second. */
const trustedForMs = 750;
const maxKnown = 10_000;
/** A key has 41 characters. The rest leaves room for a long password, which HTTP Basic may include. */
const maxHeaderLength = 512;
/** Guesses must not use up the database connections. */
const guessLimits = { atOnce: 4, waiting: 1_000 };

interface Known {
  readonly caller: Caller;
  /** On the steady clock. */
  readonly until: number;
}

export function authenticator(
  store: Pick<Store, 'findBy' | 'markKeysUsed'>,
  clock: Clock,
  steadyClock: Clock,
): Authenticator {
  /**
   * Only keys that exist, least recently looked up first. Indexed by the key rather than its hash, which would cost
   * every request 0.5 µs.
   */
  const known = new Map<string, Known>();
  const lookUps = new Map<string, Promise<Caller | Refusal>>();
  const uses = new Map<string, number>();
  const runGuess = boundedWork(guessLimits);

  function use(caller: Caller): Caller {
    uses.set(caller.keyId, clock.now());
    return caller;
  }
  function remember(secret: string, found: Caller | Refusal, until: number): void {
    known.delete(secret);
    if (isRefusal(found)) return;
    if (known.size >= maxKnown) known.delete(known.keys().next().value ?? '');
    known.set(secret, { caller: found, until });
  }
  async function lookUp(secret: string): Promise<Caller | Refusal> {
    // Counted from before the look-up, which may miss changes made while it runs.
    const startedAt = steadyClock.now();
    const credential = await store.findBy('credentials', 'hash', hashApiKey(secret));
    const now = clock.now();
    const found = callerFor(credential, now);
    remember(secret, found, startedAt + Math.min(trustedForMs, millisecondsLeft(credential, now)));
    return found;
  }
  /** Requests with the same key share a look-up. */
  async function run(secret: string, isGuess: boolean): Promise<Caller | Refusal> {
    const shared = lookUps.get(secret);
    const found = shared ?? (isGuess ? runGuess(() => lookUp(secret)) : lookUp(secret));
    if (found === null) return tooManyGuesses;
    if (shared === undefined) {
      lookUps.set(secret, found);
      const done = () => lookUps.delete(secret);
      found.then(done, done);
    }
    const caller = await found;
    return isRefusal(caller) ? caller : use(caller);
  }

  return {
    authenticate(authorization = '') {
      const secret = secretIn(authorization);
      if (typeof secret !== 'string') return secret;
      const key = known.get(secret);
      if (key !== undefined && key.until > steadyClock.now()) return use(key.caller);
      if (key === undefined && !isApiKeySecret(secret)) return mistyped;
      const isGuess = key === undefined && !lookUps.has(secret);
      return { isGuess, run: () => run(secret, isGuess) };
    },
    async recordUses() {
      const recorded = [...uses].map(([id, usedAt]): KeyUse => ({ id, usedAt }));
      if (uses.size > maxKnown) uses.clear();
      await store.markKeysUsed(recorded);
      for (const { id, usedAt } of recorded) if (uses.get(id) === usedAt) uses.delete(id);
    },
  };
}

function millisecondsLeft(credential: Credential | null, now: number): number {
  const expiresAt = credential?.key.expiresAt ?? null;
  return expiresAt === null ? Number.POSITIVE_INFINITY : Math.max(0, expiresAt - now);
}

function callerFor(credential: Credential | null, now: number): Caller | Refusal {
  if (credential === null) {
    return refuse('api_key_invalid', 'This API key does not exist. Create one with `paydesk key create`.');
  }
  const { key, merchant } = credential;
  const state = keyStateAt(key, now);
  if (state === 'revoked') {
    return refuse(
      'api_key_revoked',
      `This API key (${key.id}) has been revoked. Create a new one with \`paydesk key create\`.`,
    );
  }
  if (state === 'expired') {
    return refuse(
      'api_key_expired',
      `This API key (${key.id}) expired on ${isoTime(key.expiresAt ?? now)}, because it was replaced. Use the new key, or create one with \`paydesk key create\`.`,
    );
  }
  return { merchantId: merchant.id, livemode: key.livemode, merchant, keyId: key.id };
}

const missing = refuse(
  'api_key_missing',
  'Send your API key: `Authorization: Bearer sk_test_…`, or as the user name of HTTP Basic (`curl -u sk_test_…:`).',
);
const wrongScheme = refuse('api_key_invalid', 'The Authorization header must be `Bearer sk_test_…` or use HTTP Basic.');
const mistyped = refuse(
  'api_key_invalid',
  'This API key is mistyped or incomplete: its checksum does not match. Copy it again.',
);
const tooManyGuesses = refuse('rate_limited', 'Too many requests with unknown API keys. Try again in a moment.');

function secretIn(authorization: string): string | Refusal {
  if (authorization === '') return missing;
  if (authorization.length > maxHeaderLength) return mistyped;
  // The usual spelling.
  if (authorization.startsWith('Bearer ')) return authorization.slice('Bearer '.length).trim();
  const space = authorization.indexOf(' ');
  const scheme = authorization.slice(0, space).toLowerCase();
  const value = authorization.slice(space + 1).trim();
  if (scheme === 'bearer') return value;
  return scheme === 'basic' ? basicUserName(value) : wrongScheme;
}

function basicUserName(value: string): string {
  const decoded = Buffer.from(value, 'base64').toString('latin1');
  const colon = decoded.indexOf(':');
  return colon === -1 ? decoded : decoded.slice(0, colon);
}
