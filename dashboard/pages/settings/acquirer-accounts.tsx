// Acquirer accounts: where payments of this mode are processed. Credentials are added and replaced, never shown.

import { useState } from 'react';
import { useObject } from '../../api/queries.ts';
import { useScope } from '../../api/scope.ts';
import type { AcquirersBody } from '../../api/settings.ts';
import { useMay } from '../../api/use-membership.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../components/states.tsx';
import { methodNames } from '../payments/payment-words.ts';
import { AcquirerAccountRow } from './acquirer-account.tsx';
import { AddAcquirer } from './add-acquirer.tsx';
import { SettingsPart } from './settings-part.tsx';

export function AcquirerAccounts() {
  const accounts = useObject<AcquirersBody>('/acquirers');
  const isTest = useScope()?.mode === 'test';
  const mayChange = useMay('credentials');
  const [adding, setAdding] = useState(false);
  const add = mayChange && accounts.data !== undefined && (
    <Button small onClick={() => setAdding(true)}>
      Add account
    </Button>
  );
  return (
    <SettingsPart
      title="Acquirer accounts"
      text={`Your accounts at payment providers, for ${isTest ? 'test' : 'live'} payments. The first enabled account that serves a payment method gets its payments.`}
      actions={add}
    >
      <Accounts accounts={accounts} isTest={isTest} />
      {adding && accounts.data !== undefined && (
        <AddAcquirer providers={accounts.data.providers} onClose={() => setAdding(false)} />
      )}
    </SettingsPart>
  );
}

function Accounts({
  accounts: { data, error, isFetching, refetch },
  isTest,
}: {
  readonly accounts: ReturnType<typeof useObject<AcquirersBody>>;
  readonly isTest: boolean;
}) {
  if (data === undefined && error !== null) return <ErrorState error={error} onRetry={refetch} retrying={isFetching} />;
  if (data === undefined) {
    return (
      <div className="stack accounts-loading">
        <Loading label="Loading acquirer accounts" />
        <Skeleton width={24} />
        <Skeleton width={40} />
      </div>
    );
  }
  if (data.data.length === 0) return <NoAccounts isTest={isTest} />;
  const unserved = data.serving.filter(({ provider }) => provider === null).map(({ method }) => method);
  return (
    <>
      {unserved.length > 0 && (
        <p className="notice notice-warn notice-apart">
          No account serves {methodNames(unserved)}. Customers are not offered {unserved.length === 1 ? 'it' : 'them'}.
        </p>
      )}
      <ul className="accounts">
        {data.data.map((account) => (
          <li key={account.id}>
            <AcquirerAccountRow account={account} providers={data.providers} />
          </li>
        ))}
      </ul>
    </>
  );
}

function NoAccounts({ isTest }: { readonly isTest: boolean }) {
  const mayChange = useMay('credentials');
  return (
    <EmptyState icon="payments" title="No acquirer accounts">
      {isTest
        ? 'Test payments are processed by the sandbox, which needs no account. '
        : 'Live payments need an account at a payment provider. '}
      {mayChange ? 'Add one with its API keys.' : 'An owner can add one.'}
    </EmptyState>
  );
}
