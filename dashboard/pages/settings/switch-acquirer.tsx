// "Enable" and "Disable": whether an account gets new payments.

import { useMutation } from '@tanstack/react-query';
import { post } from '../../api/client.ts';
import { formErrors } from '../../api/form-errors.ts';
import { useRefresh } from '../../api/queries.ts';
import type { AcquirerBody } from '../../api/settings.ts';
import { FormDialog } from '../../components/dialog.tsx';
import { toast } from '../../components/toast.tsx';

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
  const { submit, look, text, done } = words[verb];
  const refresh = useRefresh();
  const switching = useMutation({
    mutationFn: () => post(`/acquirers/${account.id}/${verb}`),
    onSuccess: async () => {
      await refresh('/acquirers');
      toast(done);
      onClose();
    },
  });
  return (
    <FormDialog
      open
      onOpenChange={onClose}
      title={`${submit} ${account.name}`}
      description={text}
      submit={submit}
      look={look}
      busy={switching.isPending}
      error={formErrors(switching.error, []).form}
      onSubmit={() => switching.mutate()}
    />
  );
}
