// "Enable" and "Disable": whether an account gets new payments.

import { post } from '../../api/client.ts';
import type { AcquirerBody } from '../../api/settings.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';

const words = {
  disable: {
    submit: 'Disable',
    look: 'danger',
    text: 'It gets no new payments. Payments that it has made can still be captured, canceled and refunded.',
    done: 'The account is disabled.',
  },
  enable: {
    submit: 'Enable',
    look: 'primary',
    text: 'It gets new payments again.',
    done: 'The account is enabled.',
  },
} as const;

export function SwitchAcquirer({ account, onClose }: { readonly account: AcquirerBody; readonly onClose: () => void }) {
  const verb = account.status === 'enabled' ? 'disable' : 'enable';
  return (
    <ConfirmDialog
      {...words[verb]}
      title={`${words[verb].submit} ${account.name}`}
      act={() => post(`/acquirers/${account.id}/${verb}`)}
      refreshes={['/acquirers']}
      onClose={onClose}
    />
  );
}
