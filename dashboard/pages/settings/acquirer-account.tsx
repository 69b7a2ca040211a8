// One acquirer account: its state, methods and last error, and what an owner can do with it.

import { useState } from 'react';
import type { AcquirerBody, AcquirerProvider } from '../../api/settings.ts';
import { useMay } from '../../api/use-membership.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { CopyId } from '../../components/copy-id.tsx';
import { Details } from '../../components/details.tsx';
import { Icon } from '../../components/icon.tsx';
import { providerName } from '../../components/provider-name.ts';
import { Time } from '../../components/time.tsx';
import { methodNames } from '../payments/payment-words.ts';
import { CheckAcquirer } from './check-acquirer.tsx';
import { ReplaceCredentials } from './replace-credentials.tsx';
import { SwitchAcquirer } from './switch-acquirer.tsx';

type Action = 'check' | 'replace' | 'switch';

export function AcquirerAccountRow({
  account,
  providers,
}: {
  readonly account: AcquirerBody;
  readonly providers: readonly AcquirerProvider[];
}) {
  const mayChange = useMay('credentials');
  const [action, setAction] = useState<Action | null>(null);
  const close = (): void => setAction(null);
  const provider = providers.find(({ name }) => name === account.provider);
  const isEnabled = account.status === 'enabled';
  return (
    <article aria-label={account.name} className="account">
      <div className="account-head">
        <h3 className="account-name cluster">
          {account.name}
          <Badge tone={isEnabled ? 'good' : 'neutral'}>{isEnabled ? 'Enabled' : 'Disabled'}</Badge>
          {isEnabled && !account.available && <Badge tone="warn">Not responding</Badge>}
        </h3>
        {mayChange && (
          <div className="cluster">
            <Button small onClick={() => setAction('check')}>
              Check
            </Button>
            {provider !== undefined && (
              <Button small onClick={() => setAction('replace')}>
                Replace credentials
              </Button>
            )}
            <Button small onClick={() => setAction('switch')}>
              {isEnabled ? 'Disable' : 'Enable'}
            </Button>
          </div>
        )}
      </div>
      {account.last_error !== null && (
        <p className="notice notice-bad notice-apart">
          <Icon name="alert" />
          <span>
            {account.last_error.message} <Time at={account.last_error.at} />
          </span>
        </p>
      )}
      <Details
        facts={[
          { name: 'Provider', value: providerName(account.provider) },
          { name: 'Payment methods', value: methodNames(account.methods) },
          { name: 'Account', value: <CopyId id={account.id} /> },
          { name: 'Notification URL', value: <CopyId id={account.notification_url} label="Copy notification URL" /> },
          { name: 'Added', value: <Time at={account.created_at} /> },
        ]}
      />
      {action === 'check' && <CheckAcquirer account={account} onClose={close} />}
      {action === 'replace' && provider !== undefined && (
        <ReplaceCredentials account={account} provider={provider} onClose={close} />
      )}
      {action === 'switch' && <SwitchAcquirer account={account} onClose={close} />}
    </article>
  );
}
