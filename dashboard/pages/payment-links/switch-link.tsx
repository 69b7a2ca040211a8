// "Deactivate" and "Activate": whether a link can be paid.

import type { PaymentLinkBody } from '../../../src/http/dashboard/api-types.ts';
import { patch } from '../../api/client.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';

const words = {
  deactivate: {
    title: 'Deactivate payment link',
    text: 'Customers who open the link, or scan its QR code, see that it is no longer active. Checkouts that were already started can still be paid. You can activate the link again.',
    submit: 'Deactivate',
    look: 'danger',
    done: 'The payment link is inactive.',
  },
  activate: {
    title: 'Activate payment link',
    text: 'Customers can pay the link again.',
    submit: 'Activate',
    look: 'primary',
    done: 'The payment link is active.',
  },
} as const;

export function SwitchLink({ link, onClose }: { readonly link: PaymentLinkBody; readonly onClose: () => void }) {
  const active = link.status === 'inactive';
  return (
    <ConfirmDialog
      {...words[active ? 'activate' : 'deactivate']}
      act={() => patch(`/payment-links/${link.id}`, { active })}
      refreshes={['/payment-links']}
      onClose={onClose}
    />
  );
}
