// What an event is about, as a link where the dashboard has a page for it.

import { Link } from '@tanstack/react-router';

/** The object in an event: its kind is known only from its content. */
export function SubjectLink({ subject }: { readonly subject: unknown }) {
  const { id, object, payment_intent: paymentId } = subject as Readonly<Record<string, string | undefined>>;
  if (id === undefined) return null;
  if (object === 'payment_intent') return <PaymentLink id={id} text={id} />;
  if ((object === 'refund' || object === 'dispute') && paymentId !== undefined)
    return <PaymentLink id={paymentId} text={id} />;
  if (object === 'checkout_session') {
    return (
      <Link to="/checkout-sessions/$id" params={{ id }}>
        <code>{id}</code>
      </Link>
    );
  }
  return <code>{id}</code>;
}

function PaymentLink({ id, text }: { readonly id: string; readonly text: string }) {
  return (
    <Link to="/payments/$id" params={{ id }}>
      <code>{text}</code>
    </Link>
  );
}
