// "Add endpoint": asks where to send events and which, then shows the signing secret once.

import { useMutation } from '@tanstack/react-query';
import type { WebhookEndpointWithSecretBody } from '../../../src/http/dashboard/api-types.ts';
import { post } from '../../api/client.ts';
import { formErrors, invalid } from '../../api/form-errors.ts';
import { useIdempotencyKey } from '../../api/idempotency-key.ts';
import { useRefresh } from '../../api/queries.ts';
import { Dialog, DialogForm } from '../../components/dialog.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { EndpointFields, endpointParams, endpointValues } from './endpoint-fields.tsx';

export const secretWarning =
  'Your server checks with this secret that a request came from Paydesk. Copy it now: it is not shown again.';

export function AddEndpoint({ onClose }: { readonly onClose: () => void }) {
  const keyFor = useIdempotencyKey();
  const refresh = useRefresh();
  const adding = useMutation({
    mutationFn: async (fields: FormData) => {
      const body = endpointValues(fields);
      if (body.url === '') throw invalid('url', 'Enter the address that events are sent to.');
      if (body.enabled_events.length === 0) throw invalid('enabled_events', 'Choose at least one event.');
      return await post<WebhookEndpointWithSecretBody>('/webhook-endpoints', body, { idempotencyKey: keyFor(body) });
    },
    onSuccess: () => refresh('/webhook-endpoints', '/home'),
  });
  const errors = formErrors(adding.error, endpointParams);
  const made = adding.data;
  if (made !== undefined) {
    return (
      <Dialog
        stays
        open
        onOpenChange={onClose}
        title="Endpoint added"
        description={`The signing secret of ${made.url}:`}
      >
        <SecretOnce label="signing secret" secret={made.secret} warning={secretWarning} onDone={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Add endpoint"
      description="Events are sent there as signed POST requests, and repeated until your server accepts them."
    >
      <DialogForm
        submit="Add endpoint"
        busy={adding.isPending}
        error={errors.form}
        onSubmit={adding.mutate}
        onClose={onClose}
      >
        <EndpointFields errors={errors} />
      </DialogForm>
    </Dialog>
  );
}
