// "Add account": connects the merchant to an account at a payment provider.

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { post } from '../../api/client.ts';
import { formErrors } from '../../api/form-errors.ts';
import { useRefresh } from '../../api/queries.ts';
import { useScope } from '../../api/scope.ts';
import type { AcquirerProvider } from '../../api/settings.ts';
import { FormDialog } from '../../components/dialog.tsx';
import { Checkbox, Field, Select } from '../../components/field.tsx';
import { providerName } from '../../components/provider-name.ts';
import { toast } from '../../components/toast.tsx';
import { methodName } from '../payments/payment-words.ts';
import { CredentialFields, credentialsIn } from './credential-fields.tsx';

export function AddAcquirer({
  providers,
  onClose,
}: {
  readonly providers: readonly AcquirerProvider[];
  readonly onClose: () => void;
}) {
  const mode = useScope()?.mode;
  const [chosen, setChosen] = useState(providers[0]?.name ?? '');
  const provider = providers.find(({ name }) => name === chosen);
  const refresh = useRefresh();
  const adding = useMutation({
    mutationFn: async (fields: FormData) => {
      if (provider === undefined) return;
      await post('/acquirers', {
        provider: provider.name,
        name: String(fields.get('name')).trim() || providerName(provider.name),
        methods: fields.getAll('methods').map(String),
        credentials: credentialsIn(fields, provider),
      });
    },
    onSuccess: async () => {
      await refresh('/acquirers');
      toast('The account was added. New sessions use it within a second.');
      onClose();
    },
  });
  const errors = formErrors(adding.error, ['name', 'methods']);
  return (
    <FormDialog
      open
      onOpenChange={onClose}
      title="Add acquirer account"
      description={`For ${mode} payments, with ${mode} keys. They are checked at the provider, stored encrypted, and never shown again.`}
      submit="Add account"
      busy={adding.isPending}
      error={errors.form}
      onSubmit={adding.mutate}
    >
      <Select label="Provider" value={chosen} onChange={({ currentTarget: { value } }) => setChosen(value)}>
        {providers.map(({ name }) => (
          <option key={name} value={name}>
            {providerName(name)}
          </option>
        ))}
      </Select>
      <Field
        label="Name"
        name="name"
        autoComplete="off"
        maxLength={200}
        placeholder={providerName(chosen)}
        hint="Optional. To recognise the account by."
        error={errors.at('name')}
      />
      {provider !== undefined && <CredentialFields provider={provider} />}
      {provider !== undefined && <Methods provider={provider} error={errors.at('methods')} />}
    </FormDialog>
  );
}

function Methods({ provider, error }: { readonly provider: AcquirerProvider; readonly error: string | null }) {
  return (
    <fieldset className="options" key={provider.name}>
      <legend className="options-title">Payment methods</legend>
      {provider.methods.map((type) => (
        <Checkbox key={type} label={methodName(type)} name="methods" value={type} defaultChecked />
      ))}
      {error !== null && (
        <p role="alert" className="field-error">
          {error}
        </p>
      )}
    </fieldset>
  );
}
