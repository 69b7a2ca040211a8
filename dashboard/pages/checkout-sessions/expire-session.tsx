// "Expire": ends an open session, so that its link can no longer be paid.

import type { CheckoutSessionBody } from '../../../src/http/dashboard/api-types.ts';
import { post } from '../../api/client.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { formatMoney } from '../../components/money.tsx';

export function ExpireSession({
  session,
  onClose,
}: {
  readonly session: CheckoutSessionBody;
  readonly onClose: () => void;
}) {
  return (
    <ConfirmDialog
      title="Expire session"
      text={`Your customer can no longer pay ${formatMoney(session.amount, session.currency)} with this link. This cannot be undone.`}
      submit="Expire"
      act={() => post(`/checkout-sessions/${session.id}/expire`)}
      refreshes={['/checkout-sessions', '/payments']}
      done="The session has expired."
      onClose={onClose}
    />
  );
}
