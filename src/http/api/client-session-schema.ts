// A checkout session as its client secret shows it, to a browser or a mobile app: what is paid for, and the outcome.

import type { Payment } from '../../domain/life-cycle.ts';
import { isoTime } from '../../domain/moment.ts';
import { type Static, Type } from '../schema.ts';
import { lineItem, serialiseLineItems, sessionStatus } from './checkout-session-schema.ts';
import type { DescribedRoute } from './route.ts';
import {
  amount,
  currency,
  id,
  nullable,
  nullableString,
  nullableTime,
  paymentMethodType,
  stringEnum,
  time,
} from './schemas.ts';

const outcomes = ['paid', 'pending', 'failed', 'canceled', 'expired'] as const;

const clientSessionSchema = Type.Object(
  {
    id: id('cs'),
    object: Type.Literal('checkout_session'),
    status: sessionStatus,
    outcome: nullable(
      stringEnum(outcomes, {
        description:
          'How it ended. `paid`: the payment was captured or authorised. `pending`: the customer has paid by a method that settles later. `failed`: such a payment did not arrive. Null while the session is open.',
      }),
    ),
    amount,
    currency,
    description: nullableString(),
    line_items: nullable(Type.Array(lineItem)),
    payment_method_types: Type.Array(paymentMethodType),
    last_payment_error: nullable(
      Type.Object(
        {
          code: Type.String({ examples: ['card_declined'] }),
          message: Type.String({ examples: ['The bank declined the card: insufficient funds.'] }),
        },
        { title: 'Client payment error', description: 'Why the last attempt failed.' },
      ),
    ),
    expires_at: time('When the session expires or expired.'),
    completed_at: nullableTime('When the customer completed the checkout.'),
    livemode: Type.Boolean({ description: '`false` in test mode.' }),
  },
  { $id: 'ClientCheckoutSession', title: 'Client Checkout Session' },
);

export const clientSessionRoute: DescribedRoute = {
  method: 'GET',
  path: '/client/checkout-sessions/:id',
  auth: 'client_secret',
  operationId: 'getClientCheckoutSession',
  tag: 'Client',
  summary: "Retrieve a checkout session in the customer's browser or app",
  description:
    'Takes the `client_secret` of the session instead of an API key, so it can be called from pages of your registered origins and from mobile apps. No cookies are used.',
  id: { prefix: 'cs' },
  success: { status: 200, description: 'The session.', body: clientSessionSchema },
  errors: [],
};

export function serialiseClientSession({ session, intent }: Payment): Static<typeof clientSessionSchema> {
  const { lastPaymentError: error } = intent;
  return {
    id: session.id,
    object: 'checkout_session',
    status: session.status,
    outcome: outcomeOf({ session, intent }),
    amount: session.amount,
    currency: session.currency,
    description: session.description,
    line_items: serialiseLineItems(session.lineItems),
    payment_method_types: [...session.paymentMethodTypes],
    last_payment_error: error === null ? null : { code: error.decline_code ?? error.code, message: error.message },
    expires_at: isoTime(session.expiresAt),
    completed_at: session.completedAt === null ? null : isoTime(session.completedAt),
    livemode: session.livemode,
  };
}

function outcomeOf({ session, intent }: Payment): (typeof outcomes)[number] | null {
  if (session.status === 'open') return null;
  if (intent.status === 'canceled') return 'canceled';
  if (session.status === 'expired') return 'expired';
  if (intent.status === 'processing') return 'pending';
  return intent.status === 'requires_payment_method' ? 'failed' : 'paid';
}
