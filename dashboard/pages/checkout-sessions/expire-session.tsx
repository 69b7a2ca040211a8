// "Expire": ends an open session, so that its link can no longer be paid.

import { useMutation } from '@tanstack/react-query';
import type { CheckoutSessionBody } from '../../../src/http/dashboard/api-types.ts';
import { post } from '../../api/client.ts';
import { formErrors } from '../../api/form-errors.ts';
import { useRefresh } from '../../api/queries.ts';
import { FormDialog } from '../../components/dialog.tsx';
import { formatMoney } from '../../components/money.tsx';
import { toast } from '../../components/toast.tsx';

export function ExpireSession({
  session,
  onClose,
}: {
  readonly session: CheckoutSessionBody;
  readonly onClose: () => void;
}) {
  const refresh = useRefresh();
  const expiring = useMutation({
    mutationFn: () => post(`/checkout-sessions/${session.id}/expire`),
    onSuccess: async () => {
      await refresh('/checkout-sessions', '/payments');
      toast('The session has expired.');
      onClose();
    },
  });
  return (
    <FormDialog
      open
      onOpenChange={onClose}
      title="Expire session"
      description={`Your customer can no longer pay ${formatMoney(session.amount, session.currency)} with this link. This cannot be undone.`}
      submit="Expire"
      look="danger"
      busy={expiring.isPending}
      error={formErrors(expiring.error, []).form}
      onSubmit={() => expiring.mutate()}
    />
  );
}
