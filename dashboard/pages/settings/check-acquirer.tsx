// "Check": asks the provider whether the account works, with a harmless call.

import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { isDismissed } from '../../api/api-error.ts';
import { post } from '../../api/client.ts';
import { formErrors } from '../../api/form-errors.ts';
import { useRefresh } from '../../api/queries.ts';
import type { AcquirerAccount, AcquirerCheck } from '../../api/settings.ts';
import { Button } from '../../components/button.tsx';
import { Details } from '../../components/details.tsx';
import { Dialog, FormError } from '../../components/dialog.tsx';
import { providerName } from '../../components/provider-name.ts';
import { methodNames } from '../payments/payment-words.ts';

export function CheckAcquirer({
  account,
  onClose,
}: {
  readonly account: AcquirerAccount;
  readonly onClose: () => void;
}) {
  const refresh = useRefresh();
  const checking = useMutation({
    mutationFn: () => post<AcquirerCheck>(`/acquirers/${account.id}/check`),
    onSettled: () => refresh('/acquirers'),
    onError: (error) => {
      if (isDismissed(error)) onClose();
    },
  });
  const started = useRef(false);
  useEffect(() => {
    if (started.current) return;
    started.current = true;
    checking.mutate();
  }, [checking.mutate]);
  const { data } = checking;
  return (
    <Dialog open onOpenChange={onClose} title={`Check ${account.name}`}>
      <div role="status" className="check-result">
        {checking.isPending && <p className="faint">Asking {providerName(account.provider)}…</p>}
        {data !== undefined && <Found facts={data} />}
      </div>
      <FormError message={formErrors(checking.error, []).form} />
      <div className="dialog-actions">
        <Button onClick={() => checking.mutate()} busy={checking.isPending}>
          Check again
        </Button>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}

function Found({ facts }: { readonly facts: AcquirerCheck }) {
  const { account, country, currencies, methods, methods_switched_off: off } = facts;
  return (
    <div className="stack">
      <p>The account works.</p>
      <Details
        facts={[
          { name: 'Account', value: country === null ? account : `${account} (${country})` },
          { name: 'Currencies', value: currencies.join(', ') || 'Not listed' },
          { name: 'Switched on', value: methodNames(methods) || 'None' },
          off.length === 0
            ? null
            : { name: 'Switched off', value: `${methodNames(off)}: switch them on at the provider.` },
        ]}
      />
    </div>
  );
}
