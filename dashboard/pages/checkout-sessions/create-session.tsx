// "Create session": asks what is to be paid, then shows the link to send.

import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { CheckoutSessionBody, NewCheckoutSession } from '../../../src/http/dashboard/api-types.ts';
import { useRememberCurrency } from '../../api/accepted-currencies.ts';
import { post } from '../../api/client.ts';
import { formErrors, invalid } from '../../api/form-errors.ts';
import { useIdempotencyKey } from '../../api/idempotency-key.ts';
import { useRefresh } from '../../api/queries.ts';
import { AmountField } from '../../components/amount-field.tsx';
import { amountOrProblem } from '../../components/amount-words.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { CollectChoice, chosenDetails } from '../../components/collect-choice.tsx';
import { Dialog, DialogForm } from '../../components/dialog.tsx';
import { Field, Select } from '../../components/field.tsx';
import { formatMoney } from '../../components/money.tsx';
import { ShareLink } from '../../components/share-link.tsx';
import { Time } from '../../components/time.tsx';

/** In seconds; the API allows 5 minutes to 24 hours. */
const expiries = [
  [1_800, '30 minutes'],
  [3_600, '1 hour'],
  [10_800, '3 hours'],
  [43_200, '12 hours'],
  [86_400, '24 hours'],
] as const;

const params = ['amount', 'currency', 'description', 'expires_in'];

export function CreateSession({ onClose }: { readonly onClose: () => void }) {
  const keyFor = useIdempotencyKey();
  const refresh = useRefresh();
  const rememberCurrency = useRememberCurrency();
  const creating = useMutation({
    mutationFn: async (fields: FormData) => {
      const body = bodyFrom(fields);
      return await post<CheckoutSessionBody>('/checkout-sessions', body, { idempotencyKey: keyFor(body) });
    },
    onSuccess: ({ currency }) => {
      rememberCurrency(currency);
      refresh('/checkout-sessions', '/payments');
    },
  });
  const errors = formErrors(creating.error, params);
  const session = creating.data;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={session === undefined ? 'Create session' : 'Session created'}
      description={
        session === undefined ? (
          'Your customer pays once, on a page with your name.'
        ) : (
          <>
            {formatMoney(session.amount, session.currency)}. Send the link to your customer. It can be paid until{' '}
            <Time at={session.expires_at} />.
          </>
        )
      }
    >
      {session === undefined ? (
        <DialogForm
          submit="Create session"
          busy={creating.isPending}
          error={errors.form}
          onSubmit={creating.mutate}
          onClose={onClose}
        >
          <AmountField error={errors.at('amount')} currencyError={errors.at('currency')} />
          <Field
            label="Description"
            name="description"
            autoComplete="off"
            maxLength={500}
            hint="Optional. Your customer sees it on the checkout page."
            error={errors.at('description')}
          />
          <Select label="Expiry" name="expires_in" defaultValue="86400" error={errors.at('expires_in')}>
            {expiries.map(([seconds, text]) => (
              <option key={seconds} value={seconds}>
                {text}
              </option>
            ))}
          </Select>
          <CollectChoice />
        </DialogForm>
      ) : (
        <Created session={session} onClose={onClose} />
      )}
    </Dialog>
  );
}

function bodyFrom(fields: FormData): NewCheckoutSession {
  const currency = String(fields.get('currency'));
  const amount = amountOrProblem(String(fields.get('amount')), currency);
  if (typeof amount === 'string') throw invalid('amount', amount);
  const description = String(fields.get('description')).trim();
  return {
    amount,
    currency,
    expires_in: Number(fields.get('expires_in')),
    ...(description === '' ? {} : { description }),
    ...chosenDetails(fields),
  };
}

function Created({ session, onClose }: { readonly session: CheckoutSessionBody; readonly onClose: () => void }) {
  return (
    <>
      {session.url !== null && (
        <ShareLink label="Checkout link" url={session.url} qrPath={`/checkout-sessions/${session.id}/qr.svg`} />
      )}
      <div className="dialog-actions">
        <Link to="/checkout-sessions/$id" params={{ id: session.id }} className={buttonClass('quiet')}>
          View session
        </Link>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </>
  );
}
