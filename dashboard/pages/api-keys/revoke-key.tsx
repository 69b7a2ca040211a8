// "Revoke": the key stops working at once.

import { useMutation } from '@tanstack/react-query';
import type { ApiKeyBody } from '../../../src/http/dashboard/api-types.ts';
import { post } from '../../api/client.ts';
import { formErrors } from '../../api/form-errors.ts';
import { useRefresh } from '../../api/queries.ts';
import { FormDialog } from '../../components/dialog.tsx';
import { toast } from '../../components/toast.tsx';
import { keyName } from './key-words.ts';

export function RevokeKey({ apiKey, onClose }: { readonly apiKey: ApiKeyBody; readonly onClose: () => void }) {
  const refresh = useRefresh();
  const revoking = useMutation({
    mutationFn: () => post(`/api-keys/${apiKey.id}/revoke`),
    onSuccess: async () => {
      await refresh('/api-keys');
      toast('The key no longer works.');
      onClose();
    },
  });
  return (
    <FormDialog
      open
      onOpenChange={onClose}
      title={`Revoke ${keyName(apiKey)}`}
      description="Requests with this key are refused within a second. This cannot be undone. To replace a key without an interruption, roll it instead."
      submit="Revoke"
      look="danger"
      busy={revoking.isPending}
      error={formErrors(revoking.error, []).form}
      onSubmit={() => revoking.mutate()}
    />
  );
}
