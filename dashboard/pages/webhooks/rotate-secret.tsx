// "Rotate secret": shows the new secret once; it starts signing later, so that the server can be prepared.

import { useMutation } from '@tanstack/react-query';
import type { WebhookEndpointBody, WebhookEndpointWithSecretBody } from '../../../src/http/dashboard/api-types.ts';
import { post } from '../../api/client.ts';
import { formErrors } from '../../api/form-errors.ts';
import { useIdempotencyKey } from '../../api/idempotency-key.ts';
import { useRefresh } from '../../api/queries.ts';
import { Dialog, DialogForm } from '../../components/dialog.tsx';
import { Select } from '../../components/field.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { formatTime } from '../../components/time.tsx';
import { secretWarning } from './add-endpoint.tsx';

export function RotateSecret({
  endpoint,
  onClose,
}: {
  readonly endpoint: WebhookEndpointBody;
  readonly onClose: () => void;
}) {
  const keyFor = useIdempotencyKey();
  const refresh = useRefresh();
  const rotating = useMutation({
    mutationFn: (fields: FormData) => {
      const body = { activates_in: Number(fields.get('seconds')) };
      return post<WebhookEndpointWithSecretBody>(`/webhook-endpoints/${endpoint.id}/rotate-secret`, body, {
        idempotencyKey: keyFor(body),
      });
    },
    onSuccess: () => refresh('/webhook-endpoints'),
  });
  const made = rotating.data;
  if (made !== undefined) {
    const { next_secret_activates_at: next } = made;
    const when = next === null ? 'It signs from now on.' : `It signs from ${formatTime(next)}.`;
    return (
      <Dialog
        stays
        open
        onOpenChange={onClose}
        title="New signing secret"
        description={`${when} Accept both until then.`}
      >
        <SecretOnce label="signing secret" secret={made.secret} warning={secretWarning} onDone={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Rotate secret"
      description={`Makes a new signing secret for ${endpoint.url}.`}
    >
      <DialogForm
        submit="Rotate secret"
        busy={rotating.isPending}
        error={formErrors(rotating.error, []).form}
        onSubmit={rotating.mutate}
        onClose={onClose}
      >
        <Select label="The new secret starts signing" name="seconds" defaultValue="86400">
          <option value="0">Now</option>
          <option value="3600">In 1 hour</option>
          <option value="86400">In 24 hours</option>
        </Select>
      </DialogForm>
    </Dialog>
  );
}
