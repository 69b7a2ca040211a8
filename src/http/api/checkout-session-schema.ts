// Checkout Sessions as the API accepts and returns them.

import {
  type CheckoutSession,
  checkoutSessionStatuses,
  defaultExpiresInSeconds,
  maxExpiresInSeconds,
  minExpiresInSeconds,
  uiModes,
} from '../../domain/checkout-session.ts';
import { clientSecretOf } from '../../domain/client-secret.ts';
import { detailsOf } from '../../domain/customer-details.ts';
import { isoTime } from '../../domain/moment.ts';
import { type LineItem, maxAmount } from '../../domain/money.ts';
import type { SecretBox } from '../../domain/secret-box.ts';
import { type Static, Type } from '../schema.ts';
import { collect, customerDetails } from './customer-details-schema.ts';
import {
  amount,
  captureMethod,
  currency,
  exampleId,
  id,
  metadata,
  metadataPatch,
  nullable,
  nullableString,
  nullableTime,
  paymentMethodType,
  stringEnum,
  time,
} from './schemas.ts';

export const lineItem = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The name of the product or service, shown to the customer.',
      examples: ['Coffee beans 1 kg'],
    }),
    quantity: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'The number of units, at least 1.',
      examples: [2],
    }),
    unit_amount: Type.Integer({
      minimum: 0,
      maximum: maxAmount,
      description: 'The price of one unit, in the smallest currency unit.',
      examples: [625],
    }),
    description: Type.Optional(nullableString({ maxLength: 500, description: 'Shown below the name.' })),
  },
  { title: 'Line item', additionalProperties: false },
);

export const lineItemsRule =
  'The items the customer is buying, shown on the checkout page: at most 100. Their total must equal `amount`.';
const url = (description: string) => ({
  maxLength: 2048,
  description: `${description} An absolute URL, https in live mode. \`{CHECKOUT_SESSION_ID}\` is replaced with the session id. Returned percent-encoded, as a browser would write it.`,
});
const returnUrl = url('Where the customer is sent after paying.');
const cancelUrl = url('Where the customer is sent when they choose "Cancel".');
const expiresIn = {
  minimum: minExpiresInSeconds,
  maximum: maxExpiresInSeconds,
  description: `How long the session stays open, in seconds: ${minExpiresInSeconds} to ${maxExpiresInSeconds}.`,
};

const uiModeRule =
  'Where the customer pays: on the `hosted` page, or `embedded` in your own page. An embedded session that offers methods with a redirect needs a `return_url`.';

export const createBody = Type.Object(
  {
    amount: Type.Optional(amount),
    currency,
    mode: Type.Optional(Type.Literal('payment', { description: 'Always `payment`.' })),
    return_url: Type.Optional(nullableString({ ...returnUrl, examples: ['https://shop.example/thanks'] })),
    cancel_url: Type.Optional(nullableString({ ...cancelUrl, examples: ['https://shop.example/cart'] })),
    metadata: Type.Optional(metadata),
    expires_in: Type.Optional(Type.Integer({ ...expiresIn, default: defaultExpiresInSeconds, examples: [1800] })),
    capture_method: Type.Optional(captureMethod),
    payment_method_types: Type.Optional(
      Type.Array(paymentMethodType, {
        minItems: 1,
        uniqueItems: true,
        description:
          'The payment methods offered to the customer. By default, every method that is enabled for the account and supports the currency.',
        examples: [['card', 'ideal']],
      }),
    ),
    description: Type.Optional(nullableString({ maxLength: 500, description: 'Shown on the checkout page.' })),
    customer_email: Type.Optional(
      nullableString({
        maxLength: 254,
        pattern: '^[^\\s@]+@[^\\s@]+$',
        description:
          "The customer's email address. If the installation sends e-mail, receipts and refund notices go there.",
        examples: ['ada@example.com'],
      }),
    ),
    collect: Type.Optional(collect),
    locale: Type.Optional(
      Type.String({
        maxLength: 35,
        pattern: '^(auto|[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*)$',
        default: 'auto',
        description: 'The language of the checkout page, such as `de` or `pt-BR`. `auto` follows the browser.',
      }),
    ),
    line_items: Type.Optional(Type.Array(lineItem, { minItems: 1, maxItems: 100, description: lineItemsRule })),
    ui_mode: Type.Optional(stringEnum(uiModes, { default: 'hosted', description: uiModeRule })),
  },
  { additionalProperties: false },
);

export const patchBody = Type.Object(
  {
    amount: Type.Optional(amount),
    line_items: Type.Optional(
      nullable(
        Type.Array(lineItem, {
          minItems: 1,
          maxItems: 100,
          description: `${lineItemsRule} Null removes the items and keeps the amount.`,
        }),
      ),
    ),
    metadata: Type.Optional(metadataPatch),
    return_url: Type.Optional(nullableString(returnUrl)),
    cancel_url: Type.Optional(nullableString(cancelUrl)),
    expires_in: Type.Optional(
      Type.Integer({
        ...expiresIn,
        description: `${expiresIn.description} Counted from now; the session never stays open longer than 24 hours after its creation.`,
      }),
    ),
  },
  { additionalProperties: false },
);

export const sessionStatus = stringEnum(checkoutSessionStatuses, { title: 'Checkout Session status' });

export const sessionSchema = Type.Object(
  {
    id: id('cs'),
    object: Type.Literal('checkout_session'),
    status: sessionStatus,
    mode: Type.Literal('payment'),
    amount,
    currency,
    metadata,
    payment_intent: id('pi', 'The payment intent of this session.'),
    ui_mode: stringEnum(uiModes, { description: uiModeRule }),
    url: nullableString({
      description: 'The hosted checkout page. Redirect the customer here. Null for an embedded session.',
      examples: [`https://pay.shop.example/checkout/${exampleId('cs')}`],
    }),
    client_secret: Type.String({
      description:
        "Opens the session in the embedded checkout, and reads it with `GET /client/checkout-sessions/{id}`. Pass it to the customer's browser, and do not log or store it.",
      examples: [`${exampleId('pi')}_secret_${exampleId('cs').slice('cs_'.length)}0123456789abcdefghjkmnpqrstvwxyz`],
    }),
    return_url: nullableString(returnUrl),
    cancel_url: nullableString(cancelUrl),
    capture_method: captureMethod,
    payment_method_types: Type.Array(paymentMethodType),
    description: nullableString(),
    customer_email: nullableString({ description: 'What you passed. See `customer_details` for what is known.' }),
    collect,
    customer_details: customerDetails,
    locale: Type.String({ examples: ['auto'] }),
    line_items: nullable(Type.Array(lineItem)),
    expires_at: time(
      'When the session expires or expired. It can neither be paid nor changed from then on. Its status becomes `expired` within a second, or as soon as the outcome of a payment in progress is known.',
    ),
    completed_at: nullableTime('When the customer completed the checkout.'),
    payment_link: nullable(id('plink', 'The payment link that the customer started from.')),
    livemode: Type.Boolean({ description: '`false` in test mode.' }),
    created_at: time('When the session was created.'),
  },
  { $id: 'CheckoutSession', title: 'Checkout Session' },
);

/** What the URL and the client secret of a session are made from. */
export interface SessionPlace {
  readonly publicUrl: string;
  readonly secretBox: SecretBox;
}

export function serialiseSession(
  { publicUrl, secretBox }: SessionPlace,
  session: CheckoutSession,
): Static<typeof sessionSchema> {
  return {
    id: session.id,
    object: 'checkout_session',
    status: session.status,
    mode: 'payment',
    amount: session.amount,
    currency: session.currency,
    metadata: session.metadata,
    payment_intent: session.paymentIntentId,
    ui_mode: session.uiMode,
    url: session.uiMode === 'embedded' ? null : `${publicUrl}/checkout/${session.id}`,
    client_secret: clientSecretOf(secretBox, session),
    return_url: session.returnUrl,
    cancel_url: session.cancelUrl,
    capture_method: session.captureMethod,
    payment_method_types: [...session.paymentMethodTypes],
    description: session.description,
    customer_email: session.customerEmail,
    collect: [...session.collect],
    customer_details: detailsOf(session),
    locale: session.locale,
    line_items: serialiseLineItems(session.lineItems),
    expires_at: isoTime(session.expiresAt),
    completed_at: session.completedAt === null ? null : isoTime(session.completedAt),
    payment_link: session.paymentLinkId,
    livemode: session.livemode,
    created_at: isoTime(session.createdAt),
  };
}

export function serialiseLineItems(items: readonly LineItem[] | null): Static<typeof lineItem>[] | null {
  if (items === null) return null;
  return items.map(({ name, quantity, unitAmount, description }) => ({
    name,
    quantity,
    unit_amount: unitAmount,
    description,
  }));
}

export function parseLineItems(items: readonly Static<typeof lineItem>[]): LineItem[] {
  return items.map(({ name, quantity, unit_amount: unitAmount, description = null }) => ({
    name,
    quantity,
    unitAmount,
    description,
  }));
}
