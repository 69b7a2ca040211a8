// The credentials that a provider needs. They are sent once and never shown again, so nothing is filled in or remembered.

import type { AcquirerProvider } from '../../api/settings.ts';
import { Field } from '../../components/field.tsx';
import { spaced } from '../payments/payment-words.ts';

const fieldName = (name: string): string => `credentials.${name}`;

export function CredentialFields({ provider }: { readonly provider: AcquirerProvider }) {
  return provider.credentials.map(({ name, secret: isSecret }) => (
    <Field
      key={`${provider.name} ${name}`}
      label={spaced(name)}
      name={fieldName(name)}
      // Not "current-password": a password manager would offer to fill in the user's own.
      type={isSecret ? 'password' : 'text'}
      autoComplete="new-password"
      spellCheck={false}
      required
    />
  ));
}

export function credentialsIn(fields: FormData, provider: AcquirerProvider): Record<string, string> {
  return Object.fromEntries(
    provider.credentials.map(({ name }) => [name, String(fields.get(fieldName(name)) ?? '').trim()]),
  );
}
