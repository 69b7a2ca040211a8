// Payment links as the API accepts and returns them.

import { isRefusal } from '../../domain/errors.ts';
import type { Merchant } from '../../domain/merchant.ts';
import { isoTime } from '../../domain/moment.ts';
import { maxAmount } from '../../domain/money.ts';
import {
  isRecurring,
  maxUsesLimit,
  type PaymentLink,
  paymentLinkStatuses,
  paymentLinkTypes,
  statusAt,
} from '../../domain/payment-link.ts';
import { offeredMethods } from '../../domain/payment-methods.ts';
import { type Static, Type } from '../schema.ts';
import { lineItem, lineItemsRule, serialiseLineItems } from './checkout-session-schema.ts';
import { collect } from './customer-details-schema.ts';
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

const description = { maxLength: 500, description: 'Shown on the page, and on the checkout page.' };
const redirectUrl = {
  maxLength: 2048,
  description:
    'Where the customer is sent after paying. An absolute URL, https in live mode. `{CHECKOUT_SESSION_ID}` is replaced with the session id. Without it, the customer sees a receipt.',
};
const maxUses = {
  minimum: 1,
  maximum: maxUsesLimit,
  description: 'How often the link can be paid. `null`: any number of times.',
};
const expiresAt =
  'When the link can no longer be opened: a time with its time zone, in the future. `null`: never. A checkout that was started before can still be paid, until its session expires.';
const limit = (what: string) =>
  nullable(
    Type.Integer({
      minimum: 1,
      maximum: maxAmount,
      description: `The ${what} amount that the customer can enter, in the smallest currency unit. Only for \`type: "open"\`.`,
    }),
  );

export const linkStatus = stringEnum(paymentLinkStatuses, {
  title: 'Payment Link status',
  description:
    '`completed`: it was paid as often as `max_uses` allows. `inactive`: you deactivated it. `expired`: its time is up.',
});

const linkType = stringEnum(paymentLinkTypes, {
  title: 'Payment Link type',
  default: 'fixed',
  description: '`fixed`: the amount is yours. `open`: the customer enters the amount.',
});

export const createLinkBody = Type.Object(
  {
    type: Type.Optional(linkType),
    amount: Type.Optional(nullable(amount)),
    minimum_amount: Type.Optional(limit('smallest')),
    maximum_amount: Type.Optional(limit('largest')),
    currency,
    description: Type.Optional(nullableString({ ...description, examples: ['Yoga class on 15 March'] })),
    line_items: Type.Optional(Type.Array(lineItem, { minItems: 1, maxItems: 100, description: lineItemsRule })),
    payment_method_types: Type.Optional(
      Type.Array(paymentMethodType, {
        minItems: 1,
        uniqueItems: true,
        description:
          'The payment methods offered to the customer. By default, every method that is enabled for the account when the customer pays, and supports the currency.',
      }),
    ),
    capture_method: Type.Optional(captureMethod),
    redirect_url: Type.Optional(nullableString({ ...redirectUrl, examples: ['https://shop.example/thanks'] })),
    collect: Type.Optional(collect),
    max_uses: Type.Optional(nullable(Type.Integer(maxUses))),
    metadata: Type.Optional(metadata),
    expires_at: Type.Optional(nullableTime(expiresAt)),
  },
  { additionalProperties: false },
);

export const patchLinkBody = Type.Object(
  {
    active: Type.Optional(
      Type.Boolean({
        description: '`false` deactivates the link: its page says so. `true` activates it again.',
        examples: [false],
      }),
    ),
    description: Type.Optional(nullableString(description)),
    metadata: Type.Optional(metadataPatch),
    redirect_url: Type.Optional(nullableString(redirectUrl)),
    max_uses: Type.Optional(
      nullable(
        Type.Integer({
          ...maxUses,
          description: `${maxUses.description} At least the number of payments that were made or are in progress.`,
        }),
      ),
    ),
    expires_at: Type.Optional(nullableTime(expiresAt)),
  },
  { additionalProperties: false },
);

export const linkSchema = Type.Object(
  {
    id: id('plink'),
    object: Type.Literal('payment_link'),
    status: linkStatus,
    type: linkType,
    amount: nullable(
      Type.Integer({
        minimum: 1,
        maximum: maxAmount,
        description: 'In the smallest currency unit; `null` for `type: "open"`.',
        examples: [1250],
      }),
    ),
    minimum_amount: limit('smallest'),
    maximum_amount: limit('largest'),
    currency,
    description: nullableString(description),
    line_items: nullable(Type.Array(lineItem)),
    payment_method_types: Type.Array(paymentMethodType),
    capture_method: captureMethod,
    redirect_url: nullableString(redirectUrl),
    collect,
    max_uses: nullable(Type.Integer(maxUses)),
    recurring: Type.Boolean({ description: 'Whether the link can be paid more than once.', examples: [true] }),
    times_used: Type.Integer({ minimum: 0, description: 'How many checkouts were started.', examples: [3] }),
    times_completed: Type.Integer({ minimum: 0, description: 'How many of them were paid.', examples: [2] }),
    metadata,
    expires_at: nullableTime(
      'When the link can no longer be opened. A checkout that was started before can still be paid, until its session expires.',
    ),
    url: Type.String({
      description: 'The page of the link. Send it to your customers.',
      examples: [`https://pay.shop.example/pay/${exampleId('plink')}`],
    }),
    qr_code_url: Type.String({
      description: 'A QR code of `url`, as an SVG image.',
      examples: [`https://pay.shop.example/pay/${exampleId('plink')}/qr.svg`],
    }),
    livemode: Type.Boolean({ description: '`false` in test mode.' }),
    created_at: time('When the link was created.'),
  },
  { $id: 'PaymentLink', title: 'Payment Link' },
);

export const linkUrl = (publicUrl: string, linkId: string): string => `${publicUrl}/pay/${linkId}`;

export interface LinkContext {
  readonly publicUrl: string;
  readonly now: number;
  /** Whose link it is. */
  readonly merchant: Pick<Merchant, 'paymentMethodTypes'>;
}

export function serialiseLink(link: PaymentLink, { publicUrl, now, merchant }: LinkContext): Static<typeof linkSchema> {
  const offered = link.paymentMethodTypes ?? offeredMethods(undefined, merchant.paymentMethodTypes, link.currency);
  const url = linkUrl(publicUrl, link.id);
  return {
    id: link.id,
    object: 'payment_link',
    status: statusAt(link, now),
    type: link.type,
    amount: link.amount,
    minimum_amount: link.minimumAmount,
    maximum_amount: link.maximumAmount,
    currency: link.currency,
    description: link.description,
    line_items: serialiseLineItems(link.lineItems),
    payment_method_types: isRefusal(offered) ? [] : [...offered],
    capture_method: link.captureMethod,
    redirect_url: link.redirectUrl,
    collect: [...link.collect],
    max_uses: link.maxUses,
    recurring: isRecurring(link),
    times_used: link.timesUsed,
    times_completed: link.timesCompleted,
    metadata: link.metadata,
    expires_at: link.expiresAt === null ? null : isoTime(link.expiresAt),
    url,
    qr_code_url: `${url}/qr.svg`,
    livemode: link.livemode,
    created_at: isoTime(link.createdAt),
  };
}
