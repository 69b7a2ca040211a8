// What can be done with a payment: refund, capture, cancel. Each asks in a dialog that names the amount.

import { useRef, useState } from 'react';
import { hasCode } from '../../api/api-error.ts';
import { post } from '../../api/client.ts';
import { newIdempotencyKey } from '../../api/idempotency-key.ts';
import { useRefresh } from '../../api/queries.ts';
import type { PaymentDetail } from '../../api/types.ts';
import { useMay } from '../../api/use-membership.ts';
import { amountOrProblem } from '../../components/amount-words.ts';
import { Button } from '../../components/button.tsx';
import { editableText } from '../../components/decimal-text.ts';
import { FormDialog } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { formatMoney } from '../../components/money.tsx';
import { toast } from '../../components/toast.tsx';
import { useAction } from '../../components/use-action.ts';

type Kind = 'refund' | 'capture' | 'cancel';

export function PaymentActions({ payment }: { readonly payment: PaymentDetail }) {
  const [open, setOpen] = useState<Kind | null>(null);
  const mayRefund = useMay('refund');
  const mayCapture = useMay('operate');
  const { refundable_amount: refundable, capturable_amount: capturable, cancelable } = payment.actions;
  const close = (): void => setOpen(null);
  return (
    <>
      {mayRefund && refundable > 0 && <Button onClick={() => setOpen('refund')}>Refund</Button>}
      {mayCapture && capturable > 0 && (
        <Button look="primary" onClick={() => setOpen('capture')}>
          Capture
        </Button>
      )}
      {mayRefund && cancelable && <Button onClick={() => setOpen('cancel')}>Cancel payment</Button>}
      {open === 'refund' && <RefundDialog payment={payment} onClose={close} />}
      {open === 'capture' && <CaptureDialog payment={payment} onClose={close} />}
      {open === 'cancel' && <CancelDialog payment={payment} onClose={close} />}
    </>
  );
}

interface DialogProps {
  readonly payment: PaymentDetail;
  readonly onClose: () => void;
}

/** Said afterwards. */
interface Outcome {
  readonly done: string;
  /** If the provider accepted the request, but did not do it. */
  readonly failed?: string;
}

/** Errors after which nothing was done, and nothing will be. */
const notDone = ['payment_not_capturable', 'payment_not_cancelable'];

/**
 * A click that is repeated because the answer got lost must not act twice; another amount is another request, and so is
 * another try after a failure. Returns what went wrong, in words.
 */
function usePaymentAction({ payment, onClose }: DialogProps, kind: Kind) {
  const keys = useRef(new Map<string, string>());
  const refresh = useRefresh();
  return async (body: unknown, { done, failed }: Outcome): Promise<string | null> => {
    const text = JSON.stringify(body);
    const idempotencyKey = keys.current.get(text) ?? newIdempotencyKey();
    keys.current.set(text, idempotencyKey);
    const path = `/payments/${payment.id}/${kind}`;
    const reply = await post<{ readonly status: string }>(path, body, { idempotencyKey }).catch((error: unknown) => {
      if (notDone.some((code) => hasCode(error, code))) keys.current.delete(text);
      throw error;
    });
    await refresh('/payments', '/home');
    if (failed !== undefined && reply.status === 'failed') {
      keys.current.delete(text);
      return failed;
    }
    toast(done);
    onClose();
    return null;
  };
}

function AmountField({
  label,
  max,
  currency,
}: {
  readonly label: string;
  readonly max: number;
  readonly currency: string;
}) {
  return (
    <Field
      label={label}
      name="amount"
      inputMode="decimal"
      autoComplete="off"
      required
      after={currency}
      defaultValue={editableText(max, currency)}
      hint={`At most ${formatMoney(max, currency)}.`}
    />
  );
}

/** The amount in the form, or why it cannot be used. */
function amountIn(fields: FormData, max: number, currency: string): number | string {
  const amount = amountOrProblem(String(fields.get('amount') ?? ''), currency);
  return typeof amount === 'number' && amount > max
    ? `The amount can be at most ${formatMoney(max, currency)}.`
    : amount;
}

function RefundDialog(props: DialogProps) {
  const { payment, onClose } = props;
  const { currency } = payment;
  const max = payment.actions.refundable_amount;
  const send = usePaymentAction(props, 'refund');
  const { busy, error, run } = useAction(async (fields: FormData) => {
    const amount = amountIn(fields, max, currency);
    if (typeof amount === 'string') return amount;
    const reason = String(fields.get('reason') ?? '').trim();
    const money = formatMoney(amount, currency);
    return await send(
      { amount, ...(reason === '' ? {} : { reason }) },
      {
        done: `${money} is being refunded.`,
        failed: `The refund of ${money} failed at the provider. No money was moved.`,
      },
    );
  });
  return (
    <FormDialog
      open
      onOpenChange={onClose}
      title="Refund payment"
      description={`Of this payment, ${formatMoney(max, currency)} can be refunded. The money goes back the way it came, which cannot be undone.`}
      submit="Refund"
      busy={busy}
      error={error}
      onSubmit={run}
    >
      <AmountField label="Amount" max={max} currency={currency} />
      <Field label="Reason" name="reason" maxLength={500} hint="Optional. Only you and your team see it." />
    </FormDialog>
  );
}

function CaptureDialog(props: DialogProps) {
  const { payment, onClose } = props;
  const { currency } = payment;
  const max = payment.actions.capturable_amount;
  const send = usePaymentAction(props, 'capture');
  const { busy, error, run } = useAction(async (fields: FormData) => {
    const amount = amountIn(fields, max, currency);
    if (typeof amount === 'string') return amount;
    return await send({ amount_to_capture: amount }, { done: `${formatMoney(amount, currency)} is being captured.` });
  });
  return (
    <FormDialog
      open
      onOpenChange={onClose}
      title="Capture payment"
      description={`The customer's bank holds ${formatMoney(max, currency)} for you. What you do not capture now is released.`}
      submit="Capture"
      busy={busy}
      error={error}
      onSubmit={run}
    >
      <AmountField label="Amount" max={max} currency={currency} />
    </FormDialog>
  );
}

function CancelDialog(props: DialogProps) {
  const { payment, onClose } = props;
  const send = usePaymentAction(props, 'cancel');
  const amount = formatMoney(payment.amount, payment.currency);
  const { busy, error, run } = useAction(async (fields: FormData) => {
    const reason = String(fields.get('reason') ?? '').trim();
    const body = reason === '' ? {} : { cancellation_reason: reason };
    return await send(body, { done: `The payment of ${amount} is being canceled.` });
  });
  return (
    <FormDialog
      open
      onOpenChange={onClose}
      title="Cancel payment"
      description={
        payment.status === 'requires_capture'
          ? `The hold of ${amount} on the customer's card is released. This cannot be undone.`
          : `The customer can no longer pay these ${amount}. This cannot be undone.`
      }
      submit="Cancel payment"
      look="danger"
      busy={busy}
      error={error}
      onSubmit={run}
    >
      <Field label="Reason" name="reason" maxLength={500} hint="Optional. Only you and your team see it." />
    </FormDialog>
  );
}
