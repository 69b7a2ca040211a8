// "Replace credentials": new keys of the same account at the provider.

import { useMutation } from '@tanstack/react-query';
import { patch } from '../../api/client.ts';
import { formErrors } from '../../api/form-errors.ts';
import { useRefresh } from '../../api/queries.ts';
import type { AcquirerBody, AcquirerProvider } from '../../api/settings.ts';
import { FormDialog } from '../../components/dialog.tsx';
import { providerName } from '../../components/provider-name.ts';
import { toast } from '../../components/toast.tsx';
import { CredentialFields, credentialsIn } from './credential-fields.tsx';

export function ReplaceCredentials({
  account,
  provider,
  onClose,
}: {
  readonly account: AcquirerBody;
  readonly provider: AcquirerProvider;
  readonly onClose: () => void;
}) {
  const refresh = useRefresh();
  const replacing = useMutation({
    mutationFn: (fields: FormData) =>
      patch(`/acquirers/${account.id}`, { credentials: credentialsIn(fields, provider) }),
    onSuccess: async () => {
      await refresh('/acquirers');
      toast('The credentials were replaced.');
      onClose();
    },
  });
  return (
    <FormDialog
      open
      onOpenChange={onClose}
      title={`Replace credentials of ${account.name}`}
      description={`New keys of the same account at ${providerName(provider.name)}. They are checked there, stored encrypted, and never shown again.`}
      submit="Replace credentials"
      busy={replacing.isPending}
      error={formErrors(replacing.error, []).form}
      onSubmit={replacing.mutate}
    >
      <CredentialFields provider={provider} />
    </FormDialog>
  );
}
