// Settings: how the business appears to customers, what it accepts, and where payments are processed.

import { type FormEvent, useEffect, useId, useRef } from 'react';
import { formErrors } from '../../api/form-errors.ts';
import { useObject } from '../../api/queries.ts';
import type { MerchantSettings } from '../../api/settings.ts';
import { PageHead } from '../../components/page-head.tsx';
import { ErrorState, Loading, Skeleton } from '../../components/states.tsx';
import { AcquirerAccounts } from './acquirer-accounts.tsx';
import { Appearance } from './appearance.tsx';
import { Currencies } from './currencies.tsx';
import { Embedding } from './embedding.tsx';
import { PaymentMethods } from './payment-methods.tsx';
import { Receipts } from './receipts.tsx';
import { SaveBar } from './save-bar.tsx';
import { groupError } from './settings-part.tsx';
import { useSettingsDraft } from './use-settings-draft.ts';

export function Settings() {
  const { data, error, isFetching, refetch } = useObject<MerchantSettings>('/settings');
  return (
    <>
      <PageHead title="Settings" />
      <div className="stack">
        {data !== undefined && <SettingsForm settings={data} />}
        {data === undefined && error !== null && <ErrorState error={error} onRetry={refetch} retrying={isFetching} />}
        {data === undefined && error === null && <LoadingForm />}
        <AcquirerAccounts />
      </div>
    </>
  );
}

const params = [
  'name',
  'logo_url',
  'accent_color',
  'currencies',
  'payment_method_types',
  'receipts',
  'reply_to',
  'embed_origins',
];

function SettingsForm({ settings }: { readonly settings: MerchantSettings }) {
  const formId = useId();
  const form = useRef<HTMLFormElement>(null);
  const draft = useSettingsDraft(settings);
  const { values, change } = draft;
  const errors = formErrors(draft.error, params);
  const part = { values, change, errors };
  const isWrong = params.some((param) => errors.at(param) !== null);
  useEffect(() => {
    if (draft.error !== null) showWrongField(form.current);
  }, [draft.error]);
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (draft.isChanged) draft.save();
  }
  return (
    <form ref={form} id={formId} className="stack" onSubmit={submit} noValidate>
      <Appearance {...part} />
      <Currencies {...part} available={settings.available_currencies} />
      <PaymentMethods {...part} available={settings.available_payment_method_types} />
      <Receipts {...part} sendsMail={settings.sends_mail} />
      <Embedding {...part} origins={values.embed_origins} />
      <SaveBar draft={draft} error={isWrong ? 'Not saved. Correct what is marked above.' : errors.form} />
    </form>
  );
}

/** It may be far above the button. */
function showWrongField(form: HTMLFormElement | null): void {
  const wrong = form?.querySelector<HTMLElement>(`[aria-invalid="true"], ${groupError}`);
  wrong?.focus({ preventScroll: true });
  wrong?.scrollIntoView({ block: 'center' });
}

function LoadingForm() {
  return (
    <>
      <Loading label="Loading settings" />
      <div className="card settings-loading stack">
        <Skeleton width={16} />
        <Skeleton width={40} />
        <Skeleton width={32} />
      </div>
    </>
  );
}
