// "Create key": asks for a name, then shows the key once.

import { useMutation } from '@tanstack/react-query';
import type { NewApiKeyBody } from '../../../src/http/dashboard/api-types.ts';
import { post } from '../../api/client.ts';
import { formErrors } from '../../api/form-errors.ts';
import { useIdempotencyKey } from '../../api/idempotency-key.ts';
import { useRefresh } from '../../api/queries.ts';
import { useScope } from '../../api/scope.ts';
import { Dialog, DialogForm } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { keptNowhere } from './key-words.ts';

export function CreateKey({ onClose }: { readonly onClose: () => void }) {
  const mode = useScope()?.mode ?? 'test';
  const keyFor = useIdempotencyKey();
  const refresh = useRefresh();
  const creating = useMutation({
    mutationFn: (fields: FormData) => {
      const name = String(fields.get('name') ?? '').trim();
      const body = name === '' ? {} : { name };
      return post<NewApiKeyBody>('/api-keys', body, { idempotencyKey: keyFor(body) });
    },
    onSuccess: () => refresh('/api-keys'),
  });
  const errors = formErrors(creating.error, ['name']);
  const made = creating.data;
  if (made !== undefined) {
    return (
      <Dialog open stays onOpenChange={onClose} title="Key created" description={`Your new key for ${mode} mode:`}>
        <SecretOnce label="API key" secret={made.secret} warning={keptNowhere} onDone={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Create key"
      description={
        mode === 'live'
          ? 'A key for live mode: whoever has it can refund payments. Keep it on your server only.'
          : 'A key for test mode: no real money moves.'
      }
    >
      <DialogForm
        submit="Create key"
        busy={creating.isPending}
        error={errors.form}
        onSubmit={creating.mutate}
        onClose={onClose}
      >
        <Field
          label="Name"
          name="name"
          autoComplete="off"
          maxLength={200}
          hint="Optional. What uses the key, for example “Web shop”."
          error={errors.at('name')}
        />
      </DialogForm>
    </Dialog>
  );
}
