// "Check": asks the provider whether the account works, with a harmless call.

import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { isDismissed } from '../../api/api-error.ts';
import { post } from '../../api/client.ts';
import { formErrors } from '../../api/form-errors.ts';
import { useRefresh } from '../../api/queries.ts';
import type { AcquirerBody, AcquirerCheck } from '../../api/settings.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, FormError } from '../../components/dialog.tsx';
import { providerName } from '../../components/provider-name.ts';
import { CheckResult } from './check-result.tsx';

export function CheckAcquirer({ account, onClose }: { readonly account: AcquirerBody; readonly onClose: () => void }) {
  const refresh = useRefresh();
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => post<AcquirerCheck>(`/acquirers/${account.id}/check`),
    onSettled: () => refresh('/acquirers'),
    onError: (failure) => {
      if (isDismissed(failure)) onClose();
    },
  });
  const isStarted = useRef(false);
  useEffect(() => {
    if (isStarted.current) return;
    isStarted.current = true;
    mutate();
  }, [mutate]);
  return (
    <Dialog open onOpenChange={onClose} title={`Check ${account.name}`}>
      <div role="status" className="check-result">
        {isPending && <p className="faint">Asking {providerName(account.provider)}…</p>}
        {!isPending && data !== undefined && <CheckResult provider={account.provider} check={data} />}
      </div>
      <FormError message={formErrors(error, []).form} />
      <div className="dialog-actions">
        <Button onClick={() => mutate()} busy={isPending}>
          Check again
        </Button>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}
