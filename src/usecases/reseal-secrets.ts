// Re-encrypts everything with another secret key. Whatever the new key can decrypt is already done, so an interrupted
// run can simply be repeated.

import { type AcquirerAccount, resealedAccount } from '../domain/acquirer-account.ts';
import { type IdempotencyRecord, openResponse, sealResponse } from '../domain/idempotency.ts';
import { resealedUser } from '../domain/second-factor.ts';
import type { SecretBox } from '../domain/secret-box.ts';
import type { User } from '../domain/user.ts';
import { resealed, type WebhookEndpoint } from '../domain/webhook-endpoint.ts';
import type { Store } from '../storage/store.ts';

const pageSize = 100;

/** What a run has re-encrypted. */
export interface Resealed {
  readonly webhookEndpoints: number;
  /** Credentials of acquirer accounts. */
  readonly acquirerAccounts: number;
  /** Secrets of authenticator apps. */
  readonly secondFactors: number;
  /** Responses stored for requests with an Idempotency-Key. */
  readonly answers: number;
  /** Neither key opens these. They were unusable before, and are left unchanged. */
  readonly unreadable: readonly string[];
}

export interface ResealDeps {
  readonly store: Store;
  readonly from: SecretBox;
  readonly to: SecretBox;
  /** Called after each page. */
  readonly onProgress: (done: Resealed) => void;
}

export async function resealSecrets(deps: ResealDeps): Promise<Resealed> {
  const endpoints = await resealEndpoints(deps);
  const answers = await resealAnswers(deps, endpoints);
  const accounts = await resealAccounts(deps, answers);
  return resealUsers(deps, accounts);
}

export const nothingResealed: Resealed = {
  webhookEndpoints: 0,
  acquirerAccounts: 0,
  secondFactors: 0,
  answers: 0,
  unreadable: [],
};

async function resealEndpoints({ store, from, to, onProgress }: ResealDeps): Promise<Resealed> {
  let done = nothingResealed;
  for (let after: WebhookEndpoint | null = null; ; ) {
    const page: readonly WebhookEndpoint[] = await store.walk('webhookEndpoints', after, pageSize);
    const left = page.filter(({ secretKeyId }) => secretKeyId !== to.keyId);
    const reencrypted = tryEach(left, (endpoint: WebhookEndpoint) => resealed(endpoint, from, to));
    const { committed } = await store.commit({ webhookEndpoints: reencrypted.done });
    // One of them was changed meanwhile: read the same page again.
    if (!committed) continue;
    const unreadable = [...done.unreadable, ...reencrypted.unreadable.map(({ id }) => id)];
    done = { ...done, webhookEndpoints: done.webhookEndpoints + reencrypted.done.length, unreadable };
    onProgress(done);
    after = page.at(-1) ?? null;
    if (page.length < pageSize) return done;
  }
}

async function resealAccounts({ store, from, to, onProgress }: ResealDeps, before: Resealed): Promise<Resealed> {
  let done = before;
  for (let after: AcquirerAccount | null = null; ; ) {
    const page: readonly AcquirerAccount[] = await store.walk('acquirerAccounts', after, pageSize);
    const left = page.filter(({ secretKeyId }) => secretKeyId !== to.keyId);
    const reencrypted = tryEach(left, (account: AcquirerAccount) => resealedAccount(account, from, to));
    const { committed } = await store.commit({ acquirerAccounts: reencrypted.done });
    if (!committed) continue;
    const unreadable = [...done.unreadable, ...reencrypted.unreadable.map(({ id }) => id)];
    done = { ...done, acquirerAccounts: done.acquirerAccounts + reencrypted.done.length, unreadable };
    onProgress(done);
    after = page.at(-1) ?? null;
    if (page.length < pageSize) return done;
  }
}

async function resealUsers({ store, from, to, onProgress }: ResealDeps, before: Resealed): Promise<Resealed> {
  let done = before;
  for (let after: User | null = null; ; ) {
    const page: readonly User[] = await store.walk('users', after, pageSize);
    const left = page.filter(({ totpSecret, secretKeyId }) => totpSecret !== null && secretKeyId !== to.keyId);
    const reencrypted = tryEach(left, (user: User) => resealedUser(user, from, to));
    const { committed } = await store.commit({ users: reencrypted.done });
    if (!committed) continue;
    const unreadable = [...done.unreadable, ...reencrypted.unreadable.map(({ id }) => `the second factor of ${id}`)];
    done = { ...done, secondFactors: done.secondFactors + reencrypted.done.length, unreadable };
    onProgress(done);
    after = page.at(-1) ?? null;
    if (page.length < pageSize) return done;
  }
}

async function resealAnswers({ store, from, to, onProgress }: ResealDeps, before: Resealed): Promise<Resealed> {
  let done = before;
  for (let after: IdempotencyRecord | null = null; ; ) {
    const page: readonly IdempotencyRecord[] = await store.walk('idempotencyRecords', after, pageSize);
    // These have no key id, but a record sealed with another key cannot be opened.
    const { unreadable: left } = tryEach(page, (record) => openResponse(to, record));
    const reencrypted = tryEach(left, (record) => ({
      ...record,
      sealedBody: sealResponse(to, record, openResponse(from, record)),
    }));
    const { committed } = await store.commit({ idempotencyRecords: reencrypted.done });
    if (!committed) continue;
    const unreadable = [...done.unreadable, ...reencrypted.unreadable.map(({ key }) => `the answer to ${key}`)];
    done = { ...done, answers: done.answers + reencrypted.done.length, unreadable };
    onProgress(done);
    after = page.at(-1) ?? null;
    if (page.length < pageSize) return done;
  }
}

/** Opening a value sealed with another key throws. */
function tryEach<Row, T>(rows: readonly Row[], open: (row: Row) => T): { done: T[]; unreadable: Row[] } {
  const done: T[] = [];
  const unreadable: Row[] = [];
  for (const row of rows) {
    try {
      done.push(open(row));
    } catch {
      unreadable.push(row);
    }
  }
  return { done, unreadable };
}
