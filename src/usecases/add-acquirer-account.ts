// Adds an acquirer account to a merchant. Its credentials are stored sealed, and never shown again.

import type { Credentials, Provider } from '../acquirers/provider.ts';
import { type AcquirerAccount, maxAccounts, sealCredentials } from '../domain/acquirer-account.ts';
import { acquirerEntry } from '../domain/audit-entry.ts';
import { isRefusal, refuse } from '../domain/errors.ts';
import {
  type AccountDeps,
  accountChanges,
  readMethods,
  refuseCredentials,
  refuseName,
} from './acquirer-account-rules.ts';
import { decideAndCommit, type Outcome } from './decide-and-commit.ts';
import { merchantNotFound } from './refusals.ts';

export interface AccountTerms {
  readonly merchantId: string;
  readonly livemode: boolean;
  readonly provider: Provider;
  readonly name: string;
  readonly methods: readonly string[];
  readonly credentials: Credentials;
}

export function addAcquirerAccount(
  { store, moment, secretBox, actor }: AccountDeps,
  { merchantId, livemode, provider, name, methods: requested, credentials }: AccountTerms,
): Promise<Outcome<AcquirerAccount>> {
  return decideAndCommit(store, async () => {
    const merchant = await store.findBy('merchants', 'id', merchantId);
    if (merchant === null) return merchantNotFound(merchantId);
    const badName = refuseName(name);
    if (badName !== null) return badName;
    const methods = readMethods(provider, requested);
    if (isRefusal(methods)) return methods;
    const badCredentials = refuseCredentials(provider, credentials, livemode);
    if (badCredentials !== null) return badCredentials;
    if ((await store.count('acquirerAccounts', { scope: { merchantId, livemode } }, maxAccounts)) >= maxAccounts) {
      return refuse(
        'parameter_invalid',
        `this merchant already has ${maxAccounts} accounts in this mode, which is the limit`,
      );
    }
    const at = moment();
    const id = at.newId('acq');
    const account: AcquirerAccount = {
      ...{ merchantId, livemode, id, version: 0, provider: provider.name, name, methods, status: 'enabled' },
      ...sealCredentials(secretBox, id, credentials),
      lastErrorAt: null,
      lastErrorMessage: null,
      createdAt: at.now,
    };
    const audit = acquirerEntry(at, actor, 'acquirer_account.created', { account, details: { name, methods } });
    return { changes: await accountChanges(store, merchant, account, audit), result: account };
  });
}
