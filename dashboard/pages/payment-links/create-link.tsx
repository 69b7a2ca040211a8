// "Create payment link": asks for the price and the limits, then shows the link to send and its QR code.

import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { PaymentLinkBody } from '../../../src/http/dashboard/api-types.ts';
import { useRememberCurrency } from '../../api/accepted-currencies.ts';
import { post } from '../../api/client.ts';
import { type FormErrors, formErrors } from '../../api/form-errors.ts';
import { useIdempotencyKey } from '../../api/idempotency-key.ts';
import { useRefresh } from '../../api/queries.ts';
import { AmountField } from '../../components/amount-field.tsx';
import { Button, buttonClass } from '../../components/button.tsx';
import { CollectChoice } from '../../components/collect-choice.tsx';
import { Dialog, DialogForm } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { ShareLink } from '../../components/share-link.tsx';
import { priceOf } from './link-status.tsx';
import { linkParams, linkTerms, type PriceKind } from './link-terms.ts';
import { PriceChoice } from './price-choice.tsx';

export function CreateLink({ onClose }: { readonly onClose: () => void }) {
  const [kind, setKind] = useState<PriceKind>('fixed');
  const keyFor = useIdempotencyKey();
  const refresh = useRefresh();
  const rememberCurrency = useRememberCurrency();
  const creating = useMutation({
    mutationFn: async (fields: FormData) => {
      const body = linkTerms(fields, kind);
      return await post<PaymentLinkBody>('/payment-links', body, { idempotencyKey: keyFor(body) });
    },
    onSuccess: ({ currency }) => {
      rememberCurrency(currency);
      refresh('/payment-links');
    },
  });
  const errors = formErrors(creating.error, linkParams);
  const link = creating.data;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={link === undefined ? 'Create payment link' : 'Payment link created'}
      description={
        link === undefined
          ? 'A link that customers can pay once or many times.'
          : `${priceOf(link)}. Send the link to your customers, or print its QR code.`
      }
    >
      {link === undefined ? (
        <DialogForm
          submit="Create payment link"
          busy={creating.isPending}
          error={errors.form}
          onSubmit={creating.mutate}
          onClose={onClose}
        >
          <PriceChoice kind={kind} onChange={setKind} />
          <AmountField
            withAmount={kind === 'fixed'}
            error={errors.at('amount')}
            currencyError={errors.at('currency')}
          />
          {kind === 'open' && <Limits errors={errors} />}
          <Field
            label="Description"
            name="description"
            autoComplete="off"
            maxLength={500}
            hint="Optional. Your customers see it."
            error={errors.at('description')}
          />
          <UsesAndExpiry errors={errors} />
          <CollectChoice />
        </DialogForm>
      ) : (
        <Created link={link} onClose={onClose} />
      )}
    </Dialog>
  );
}

function Limits({ errors }: { readonly errors: FormErrors }) {
  const field = { inputMode: 'decimal', autoComplete: 'off', placeholder: 'None' } as const;
  return (
    <div className="field-pair">
      <Field label="Minimum amount" name="minimum_amount" error={errors.at('minimum_amount')} {...field} />
      <Field label="Maximum amount" name="maximum_amount" error={errors.at('maximum_amount')} {...field} />
    </div>
  );
}

function UsesAndExpiry({ errors }: { readonly errors: FormErrors }) {
  return (
    <>
      <Field
        label="Max uses"
        name="max_uses"
        inputMode="numeric"
        autoComplete="off"
        placeholder="Unlimited"
        hint="Optional. How often the link can be paid."
        error={errors.at('max_uses')}
      />
      <Field
        label="Expires"
        name="expires_at"
        type="datetime-local"
        hint="Optional. In your time zone."
        error={errors.at('expires_at')}
      />
    </>
  );
}

function Created({ link, onClose }: { readonly link: PaymentLinkBody; readonly onClose: () => void }) {
  return (
    <>
      <ShareLink label="Payment link" url={link.url} qrPath={`/payment-links/${link.id}/qr.svg`} />
      <div className="dialog-actions">
        <Link to="/payment-links/$id" params={{ id: link.id }} className={buttonClass('quiet')}>
          View payment link
        </Link>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </>
  );
}
