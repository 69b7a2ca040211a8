// "Deactivate" and "Activate": whether a link can be paid.

import { useMutation } from '@tanstack/react-query';
import type { PaymentLinkBody } from '../../../src/http/dashboard/api-types.ts';
import { patch } from '../../api/client.ts';
import { formErrors } from '../../api/form-errors.ts';
import { useRefresh } from '../../api/queries.ts';
import { FormDialog } from '../../components/dialog.tsx';
import { toast } from '../../components/toast.tsx';

const words = {
  deactivate: {
    title: 'Deactivate payment link',
    text: 'Customers who open the link, or scan its QR code, are told that it is no longer active. Checkouts that were already started can still be paid. You can activate the link again.',
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
  const { title, text, submit, look, done } = words[active ? 'activate' : 'deactivate'];
  const refresh = useRefresh();
  const switching = useMutation({
    mutationFn: () => patch(`/payment-links/${link.id}`, { active }),
    onSuccess: async () => {
      await refresh('/payment-links');
      toast(done);
      onClose();
    },
  });
  return (
    <FormDialog
      open
      onOpenChange={onClose}
      title={title}
      description={text}
      submit={submit}
      look={look}
      busy={switching.isPending}
      error={formErrors(switching.error, []).form}
      onSubmit={() => switching.mutate()}
    />
  );
}
