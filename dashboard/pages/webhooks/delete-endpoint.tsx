// Deletes an endpoint with what waits for it.

import { useMutation } from '@tanstack/react-query';
import type { WebhookEndpointBody } from '../../../src/http/dashboard/api-types.ts';
import { remove } from '../../api/client.ts';
import { formErrors } from '../../api/form-errors.ts';
import { useRefresh } from '../../api/queries.ts';
import { FormDialog } from '../../components/dialog.tsx';
import { toast } from '../../components/toast.tsx';

export function DeleteEndpoint({
  endpoint,
  onClose,
}: {
  readonly endpoint: WebhookEndpointBody;
  readonly onClose: () => void;
}) {
  const refresh = useRefresh();
  const deleting = useMutation({
    mutationFn: () => remove(`/webhook-endpoints/${endpoint.id}`),
    onSuccess: async () => {
      toast('The endpoint was deleted.');
      onClose();
      await refresh('/webhook-endpoints', '/home');
    },
  });
  return (
    <FormDialog
      open
      onOpenChange={onClose}
      title="Delete endpoint"
      description={`Deletes ${endpoint.url}. What waits for it is not sent. This cannot be undone.`}
      submit="Delete"
      look="danger"
      busy={deleting.isPending}
      error={formErrors(deleting.error, []).form}
      onSubmit={() => deleting.mutate()}
    />
  );
}
