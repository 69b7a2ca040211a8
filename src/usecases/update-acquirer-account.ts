// Updates an acquirer account: its name, methods, credentials, or whether it gets new payments.

import type { Credentials, Provider } from '../acquirers/provider.ts';
import { type AcquirerAccount, sealCredentials } from '../domain/acquirer-account.ts';
import { type AuditAction, acquirerEntry, changesBetween } from '../domain/audit-entry.ts';
import { isRefusal, refuse } from '../domain/errors.ts';
import {
  type AccountDeps,
  accountChanges,
  readMethods,
  refuseCredentials,
  refuseName,
} from './acquirer-account-rules.ts';
import { decideAndCommit, type Outcome } from './decide-and-commit.ts';
import { acquirerAccountNotFound } from './refusals.ts';

export interface AccountPatch {
  readonly name?: string | undefined;
  readonly methods?: readonly string[] | undefined;
  readonly credentials?: Credentials | undefined;
  readonly status?: AcquirerAccount['status'] | undefined;
}

/** `provider`: of the account; null if this version has none of that name, then only the status can be changed. */
export function updateAcquirerAccount(
  { store, moment, secretBox, actor }: AccountDeps,
  accountId: string,
  provider: Provider | null,
  patch: AccountPatch,
): Promise<Outcome<AcquirerAccount>> {
  return decideAndCommit(store, async () => {
    const account = await store.findBy('acquirerAccounts', 'id', accountId);
    const merchant = account && (await store.findBy('merchants', 'id', account.merchantId));
    if (account === null || merchant === null) return acquirerAccountNotFound(accountId);
    const badName = patch.name === undefined ? null : refuseName(patch.name);
    if (badName !== null) return badName;
    if (provider === null && (patch.methods !== undefined || patch.credentials !== undefined))
      return refuse('parameter_invalid', `this version has no connector for ${account.provider}`);
    const methods =
      patch.methods === undefined || provider === null ? account.methods : readMethods(provider, patch.methods);
    if (isRefusal(methods)) return methods;
    const { credentials } = patch;
    const badCredentials =
      credentials === undefined || provider === null
        ? null
        : refuseCredentials(provider, credentials, account.livemode);
    if (badCredentials !== null) return badCredentials;
    const updated: AcquirerAccount = {
      ...account,
      name: patch.name ?? account.name,
      methods,
      status: patch.status ?? account.status,
      ...(credentials === undefined ? {} : sealCredentials(secretBox, account.id, credentials)),
    };
    const changes = changesBetween(account, updated, auditedFields);
    if (changes === null && credentials === undefined) return { changes: {}, result: account };
    const details = { ...changes, ...(credentials === undefined ? {} : { credentials: 'replaced' }) };
    const audit = acquirerEntry(moment(), actor, actionOf(account, updated), { account, details });
    return { changes: await accountChanges(store, merchant, updated, audit), result: updated };
  });
}

const auditedFields = { name: 'name', methods: 'methods', status: 'status' } as const;

function actionOf(before: AcquirerAccount, after: AcquirerAccount): Extract<AuditAction, `acquirer_account.${string}`> {
  if (before.status === after.status) return 'acquirer_account.updated';
  return after.status === 'enabled' ? 'acquirer_account.enabled' : 'acquirer_account.disabled';
}
