// Who is calling: from the Authorization header to a merchant and a mode.

import { hashApiKey, isApiKeySecret } from '../domain/api-key.ts';
import { type Refusal, refuse } from '../domain/errors.ts';
import type { Merchant, Scope } from '../domain/merchant.ts';
import type { Clock } from '../domain/moment.ts';
import type { Credential, KeyUse, Store } from '../storage/store.ts';

export interface Caller extends Scope {
  readonly merchant: Merchant;
  readonly keyId: string;
}

export interface Authenticator {
  /** Answers at once where the key was looked up a moment ago. */
  authenticate(authorization: string | undefined): Caller | Refusal | Promise<Caller | Refusal>;
  /** Keys used since the last call. */
  takeUses(): readonly KeyUse[];
}

/** What another process changes, a revoked key say, takes effect here within a second. */
const trustedForMs = 750;
const maxCached = 10_000;

export function authenticator(store: Store, clock: Clock): Authenticator {
  /** By the whole header, so that a key in constant use is not hashed for every request. */
  const cached = new Map<string, { readonly answer: Caller | Refusal; readonly until: number }>();
  const uses = new Map<string, number>();

  function use(answer: Caller | Refusal, now: number): Caller | Refusal {
    if ('keyId' in answer) uses.set(answer.keyId, now);
    return answer;
  }

  async function lookUp(authorization: string, secret: string): Promise<Caller | Refusal> {
    const answer = callerBehind(await store.credential(hashApiKey(secret)));
    const now = clock.now();
    if (cached.size >= maxCached) cached.clear();
    cached.set(authorization, { answer, until: now + trustedForMs });
    return use(answer, now);
  }

  return {
    authenticate(authorization = '') {
      const known = cached.get(authorization);
      const now = clock.now();
      if (known !== undefined && known.until > now) return use(known.answer, now);
      cached.delete(authorization);
      const secret = secretIn(authorization);
      if (typeof secret !== 'string') return secret;
      return isApiKeySecret(secret) ? lookUp(authorization, secret) : mistyped;
    },
    takeUses() {
      const taken = [...uses].map(([id, usedAt]) => ({ id, usedAt }));
      uses.clear();
      return taken;
    },
  };
}

function callerBehind(credential: Credential | null): Caller | Refusal {
  if (credential === null) {
    return refuse('api_key_invalid', 'This API key is not known here. Make one with `paydesk key create`.');
  }
  const { key, merchant } = credential;
  if (key.revokedAt !== null) {
    return refuse(
      'api_key_revoked',
      `This API key (${key.id}) was revoked. Make a new one with \`paydesk key create\`.`,
    );
  }
  return { merchantId: merchant.id, livemode: key.livemode, merchant, keyId: key.id };
}

const missing = refuse(
  'api_key_missing',
  'Send your API key: `Authorization: Bearer sk_test_…`, or as the user name of HTTP Basic (`curl -u sk_test_…:`).',
);
const wrongScheme = refuse(
  'api_key_invalid',
  'The Authorization header must read `Bearer sk_test_…` or use HTTP Basic.',
);
const mistyped = refuse('api_key_invalid', 'This is not a whole API key: its checksum does not fit. Copy it again.');

function secretIn(authorization: string): string | Refusal {
  if (authorization === '') return missing;
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
