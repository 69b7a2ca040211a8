// What the provider said about an account.

import type { AcquirerCheck } from '../../api/settings.ts';
import { Details } from '../../components/details.tsx';
import { Icon } from '../../components/icon.tsx';
import { providerName } from '../../components/provider-name.ts';
import { methodNames } from '../payments/payment-words.ts';

export function CheckResult({ provider, check }: { readonly provider: string; readonly check: AcquirerCheck }) {
  const { ok, reason, account, currencies, methods, methods_switched_off: off } = check;
  return (
    <div className="stack">
      <p className={ok ? 'check-good' : 'check-bad'}>
        <Icon name={ok ? 'check' : 'alert'} />
        <span>{verdict(check, providerName(provider))}</span>
      </p>
      {reason !== null && <p className="faint">{reason}</p>}
      {account !== null && (
        <Details
          facts={[
            { name: 'Account', value: account },
            { name: 'Currencies', value: currencies.join(', ') || 'Not listed' },
            { name: 'Switched on', value: methodNames(methods) || 'None' },
            off.length === 0 ? null : { name: 'Switched off', value: methodNames(off) },
          ]}
        />
      )}
    </div>
  );
}

function verdict({ problem }: AcquirerCheck, provider: string): string {
  switch (problem) {
    case null:
      return 'The account works.';
    case 'refused':
      return `${provider} refused the credentials. Replace them.`;
    case 'silent':
      return `${provider} did not answer. Try again later.`;
    case 'unusable':
      return 'The account cannot be used.';
    case 'permissions_missing':
      return `The account works, but its key does not have all permissions. Add them at ${provider}.`;
    case 'switched_off':
      return `The account works, but some payment methods are not switched on at ${provider}.`;
  }
}
