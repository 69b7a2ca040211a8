// Changes where an endpoint is, or which events it gets.

import { useMutation } from '@tanstack/react-query';
import type { WebhookEndpointBody } from '../../../src/http/dashboard/api-types.ts';
import { patch } from '../../api/client.ts';
import { formErrors, invalid } from '../../api/form-errors.ts';
import { useRefresh } from '../../api/queries.ts';
import { FormDialog } from '../../components/dialog.tsx';
import { toast } from '../../components/toast.tsx';
import { EndpointFields, endpointParams, endpointValues } from './endpoint-fields.tsx';

export function EditEndpoint({
  endpoint,
  onClose,
}: {
  readonly endpoint: WebhookEndpointBody;
  readonly onClose: () => void;
}) {
  const refresh = useRefresh();
  const saving = useMutation({
    mutationFn: async (fields: FormData) => {
      const body = endpointValues(fields);
      if (body.enabled_events.length === 0) throw invalid('enabled_events', 'Choose at least one event.');
      return await patch(`/webhook-endpoints/${endpoint.id}`, body);
    },
    onSuccess: async () => {
      await refresh('/webhook-endpoints');
      toast('The endpoint was changed.');
      onClose();
    },
  });
  const errors = formErrors(saving.error, endpointParams);
  return (
    <FormDialog
      open
      onOpenChange={onClose}
      title="Edit endpoint"
      submit="Save"
      busy={saving.isPending}
      error={errors.form}
      onSubmit={saving.mutate}
    >
      <EndpointFields values={endpoint} errors={errors} />
    </FormDialog>
  );
}
