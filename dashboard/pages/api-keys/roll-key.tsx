// "Roll": a new key now, while the old one keeps working for the time that it takes to replace it.

import { useMutation } from '@tanstack/react-query';
import type { ApiKeyBody, RolledApiKeyBody } from '../../../src/http/dashboard/api-types.ts';
import { post } from '../../api/client.ts';
import { formErrors } from '../../api/form-errors.ts';
import { useIdempotencyKey } from '../../api/idempotency-key.ts';
import { useRefresh } from '../../api/queries.ts';
import { Dialog, DialogForm } from '../../components/dialog.tsx';
import { Select } from '../../components/field.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { formatTime } from '../../components/time.tsx';
import { keptNowhere, keyName } from './key-words.ts';

export function RollKey({ apiKey, onClose }: { readonly apiKey: ApiKeyBody; readonly onClose: () => void }) {
  const keyFor = useIdempotencyKey();
  const refresh = useRefresh();
  const rolling = useMutation({
    mutationFn: (fields: FormData) => {
      const body = { expires_in_hours: Number(fields.get('hours')) };
      return post<RolledApiKeyBody>(`/api-keys/${apiKey.id}/roll`, body, { idempotencyKey: keyFor(body) });
    },
    onSuccess: () => refresh('/api-keys'),
  });
  const made = rolling.data;
  if (made !== undefined) {
    const { expires_at: ends } = made.replaces;
    const until = ends === null ? '' : ` The old key works until ${formatTime(ends)}.`;
    return (
      <Dialog open stays onOpenChange={onClose} title="Key rolled" description={`Your new key:${until}`}>
        <SecretOnce label="API key" secret={made.secret} warning={keptNowhere} onDone={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Roll ${keyName(apiKey)}`}
      description="You get a new key now. The old one keeps working until you have replaced it everywhere."
    >
      <DialogForm
        submit="Roll"
        busy={rolling.isPending}
        error={formErrors(rolling.error, []).form}
        onSubmit={rolling.mutate}
        onClose={onClose}
      >
        <Select label="The old key ends in" name="hours" defaultValue="24">
          <option value="1">1 hour</option>
          <option value="24">24 hours</option>
          <option value="72">72 hours</option>
        </Select>
      </DialogForm>
    </Dialog>
  );
}
