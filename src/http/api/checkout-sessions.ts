// Checkout Sessions over the API: create, look up, list, update, expire.

import { type Static, Type } from 'typebox';
import {
  type CheckoutSession,
  checkoutSessionStatuses,
  defaultExpiresInSeconds,
  maxExpiresInSeconds,
  minExpiresInSeconds,
} from '../../domain/checkout-session.ts';
import { isoTime } from '../../domain/moment.ts';
import { type LineItem, maxAmount } from '../../domain/money.ts';
import type { SecretBox } from '../../domain/secret-box.ts';
import { type CreateSessionDeps, createCheckoutSession } from '../../usecases/create-checkout-session.ts';
import { expireCheckoutSession } from '../../usecases/expire-checkout-session.ts';
import { sessionNotFound } from '../../usecases/refusals.ts';
import { updateCheckoutSession } from '../../usecases/update-checkout-session.ts';
import { answerList, type ListQuery, listOf, listQuery } from './list.ts';
import type { Answer, ApiRoute } from './route.ts';
import {
  amount,
  captureMethod,
  currency,
  metadata,
  metadataPatch,
  nullableString,
  nullableTime,
  paymentMethodType,
  time,
} from './schemas.ts';

const lineItem = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'What is bought.',
      examples: ['Coffee beans 1 kg'],
    }),
    quantity: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'How many, from 1.', examples: [2] }),
    unit_amount: Type.Integer({
      minimum: 0,
      maximum: maxAmount,
      description: 'The price of one, in the smallest currency unit.',
      examples: [625],
    }),
    description: Type.Optional(nullableString({ maxLength: 500, description: 'A line below the name.' })),
  },
  { additionalProperties: false },
);

const lineItemsRule = 'What the customer buys, shown on the page; at most 100. They must add up to `amount`.';
const url = (description: string) => ({
  maxLength: 2048,
  description: `${description} Absolute, with https in live mode; \`{CHECKOUT_SESSION_ID}\` is replaced.`,
});
const returnUrl = url('Where the customer goes after paying.');
const cancelUrl = url('Where the customer goes on "Cancel".');
const expiresIn = {
  minimum: minExpiresInSeconds,
  maximum: maxExpiresInSeconds,
  description: `Seconds that the session stays open: ${minExpiresInSeconds} to ${maxExpiresInSeconds}.`,
};

const createBody = Type.Object(
  {
    amount: Type.Optional(amount),
    currency,
    mode: Type.Optional(Type.Literal('payment', { description: 'Only `payment`.' })),
    return_url: Type.Optional(nullableString({ ...returnUrl, examples: ['https://shop.example/thanks'] })),
    cancel_url: Type.Optional(nullableString({ ...cancelUrl, examples: ['https://shop.example/cart'] })),
    metadata: Type.Optional(metadata),
    expires_in: Type.Optional(Type.Integer({ ...expiresIn, default: defaultExpiresInSeconds, examples: [1800] })),
    capture_method: Type.Optional(captureMethod),
    payment_method_types: Type.Optional(
      Type.Array(paymentMethodType, {
        minItems: 1,
        uniqueItems: true,
        description: 'What the customer may choose from; by default all that the account and the currency allow.',
        examples: [['card', 'ideal']],
      }),
    ),
    description: Type.Optional(nullableString({ maxLength: 500, description: 'Shown on the page.' })),
    customer_email: Type.Optional(
      nullableString({
        maxLength: 254,
        pattern: '^[^\\s@]+@[^\\s@]+$',
        description: "The customer's e-mail address.",
        examples: ['ada@example.com'],
      }),
    ),
    locale: Type.Optional(
      Type.String({
        maxLength: 35,
        pattern: '^(auto|[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*)$',
        default: 'auto',
        description: 'The language of the page, such as `de` or `pt-BR`; `auto` goes by the browser.',
      }),
    ),
    line_items: Type.Optional(Type.Array(lineItem, { minItems: 1, maxItems: 100, description: lineItemsRule })),
  },
  { additionalProperties: false },
);

const patchBody = Type.Object(
  {
    amount: Type.Optional(amount),
    line_items: Type.Optional(
      Type.Unsafe<Static<typeof lineItem>[] | null>({
        type: ['array', 'null'],
        items: lineItem,
        minItems: 1,
        maxItems: 100,
        description: `${lineItemsRule} Null removes them and keeps the amount.`,
      }),
    ),
    metadata: Type.Optional(metadataPatch),
    return_url: Type.Optional(nullableString(returnUrl)),
    cancel_url: Type.Optional(nullableString(cancelUrl)),
    expires_in: Type.Optional(
      Type.Integer({ ...expiresIn, description: `${expiresIn.description} From now, and within 24 h of creation.` }),
    ),
  },
  { additionalProperties: false },
);

const noBody = Type.Object({}, { additionalProperties: false });

const sessionSchema = Type.Object(
  {
    id: Type.String({ examples: ['cs_01kabcd0efghjkmnpqrstvwxyz0123'] }),
    object: Type.Literal('checkout_session'),
    status: Type.Unsafe<CheckoutSession['status']>({ type: 'string', enum: checkoutSessionStatuses }),
    mode: Type.Literal('payment'),
    amount,
    currency,
    metadata,
    payment_intent: Type.String({ description: 'The id of the payment intent that is paid through this session.' }),
    url: Type.String({ description: 'Send the customer here.' }),
    client_secret: Type.String({ description: 'For embedded integrations; not needed for hosted checkout.' }),
    return_url: nullableString(returnUrl),
    cancel_url: nullableString(cancelUrl),
    capture_method: captureMethod,
    payment_method_types: Type.Array(paymentMethodType),
    description: nullableString(),
    customer_email: nullableString(),
    locale: Type.String(),
    line_items: Type.Unsafe<Required<Static<typeof lineItem>>[] | null>({ type: ['array', 'null'], items: lineItem }),
    expires_at: time('When it expires, or expired.'),
    completed_at: nullableTime('When the customer finished.'),
    livemode: Type.Boolean({ description: 'False in test mode.' }),
    created_at: time('When it was created.'),
  },
  { $id: 'CheckoutSession', title: 'Checkout Session' },
);

export interface CheckoutSessionDeps extends CreateSessionDeps {
  readonly publicUrl: string;
  readonly secretBox: SecretBox;
}

function serialiseSession(
  { publicUrl, secretBox }: CheckoutSessionDeps,
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
    url: `${publicUrl}/checkout/${session.id}`,
    client_secret: `${session.paymentIntentId}_secret_${secretBox.derive(`client secret of ${session.paymentIntentId}`)}`,
    return_url: session.returnUrl,
    cancel_url: session.cancelUrl,
    capture_method: session.captureMethod,
    payment_method_types: [...session.paymentMethodTypes],
    description: session.description,
    customer_email: session.customerEmail,
    locale: session.locale,
    line_items:
      session.lineItems?.map(({ name, quantity, unitAmount, description }) => ({
        name,
        quantity,
        unit_amount: unitAmount,
        description,
      })) ?? null,
    expires_at: isoTime(session.expiresAt),
    completed_at: session.completedAt === null ? null : isoTime(session.completedAt),
    livemode: session.livemode,
    created_at: isoTime(session.createdAt),
  };
}

function parseLineItems(items: readonly Static<typeof lineItem>[]): LineItem[] {
  return items.map(({ name, quantity, unit_amount: unitAmount, description = null }) => ({
    name,
    quantity,
    unitAmount,
    description,
  }));
}

export function checkoutSessionRoutes(deps: CheckoutSessionDeps): ApiRoute[] {
  const { store } = deps;
  const answer = (session: CheckoutSession, status = 200): Answer => ({
    status,
    body: serialiseSession(deps, session),
  });
  const id = { prefix: 'cs', notFound: sessionNotFound } as const;
  const shared = { tag: 'Checkout Sessions' };
  return [
    {
      ...shared,
      method: 'POST',
      path: '/checkout-sessions',
      operationId: 'createCheckoutSession',
      summary: 'Create a checkout session',
      description: 'Opens a session and its payment intent. Redirect the customer to the `url` that comes back.',
      body: createBody,
      idempotent: true,
      success: { status: 201, description: 'The open session.', body: sessionSchema },
      errors: [
        'currency_not_supported',
        'currency_not_enabled',
        'payment_method_not_enabled',
        'live_mode_not_configured',
      ],
      handle: async ({ caller, body, once }) => {
        const given = body as Static<typeof createBody>;
        const outcome = await createCheckoutSession(
          deps,
          caller,
          {
            amount: given.amount,
            currency: given.currency,
            returnUrl: given.return_url ?? null,
            cancelUrl: given.cancel_url ?? null,
            metadata: given.metadata ?? {},
            expiresInSeconds: given.expires_in,
            captureMethod: given.capture_method ?? 'automatic',
            paymentMethodTypes: given.payment_method_types,
            description: given.description ?? null,
            customerEmail: given.customer_email ?? null,
            locale: given.locale ?? 'auto',
            lineItems: given.line_items === undefined ? null : parseLineItems(given.line_items),
          },
          once && ((session) => once.receipt(answer(session, 201))),
        );
        return 'done' in outcome ? answer(outcome.done, 201) : outcome;
      },
    },
    {
      ...shared,
      method: 'GET',
      path: '/checkout-sessions',
      operationId: 'listCheckoutSessions',
      summary: 'List checkout sessions',
      description: 'Newest first.',
      query: listQuery(checkoutSessionStatuses),
      success: { status: 200, description: 'A page.', body: listOf(sessionSchema, 'Checkout Sessions') },
      errors: [],
      handle: ({ caller, query }) =>
        answerList(
          query as ListQuery<CheckoutSession['status']>,
          'cs',
          (page) => store.checkoutSessions(caller, page),
          (session) => serialiseSession(deps, session),
        ),
    },
    {
      ...shared,
      method: 'GET',
      path: '/checkout-sessions/:id',
      operationId: 'getCheckoutSession',
      summary: 'Look a checkout session up',
      description: 'As it stands now.',
      id,
      success: { status: 200, description: 'The session.', body: sessionSchema },
      errors: ['checkout_session_not_found'],
      handle: async ({ caller, id }) => {
        const session = await store.checkoutSession(caller, id);
        return session === null ? sessionNotFound(id) : answer(session);
      },
    },
    {
      ...shared,
      method: 'PATCH',
      path: '/checkout-sessions/:id',
      operationId: 'updateCheckoutSession',
      summary: 'Update an open checkout session',
      description:
        'A JSON Merge Patch. The payment intent follows in the same commit. While the customer is paying, the amount stands.',
      id,
      body: patchBody,
      success: { status: 200, description: 'The updated session.', body: sessionSchema },
      errors: ['checkout_session_not_found', 'session_not_open', 'payment_in_progress'],
      handle: async ({ caller, id, body }) => {
        const given = body as Static<typeof patchBody>;
        const outcome = await updateCheckoutSession(deps, caller, id, {
          amount: given.amount,
          lineItems: given.line_items ? parseLineItems(given.line_items) : given.line_items,
          metadata: given.metadata,
          returnUrl: given.return_url,
          cancelUrl: given.cancel_url,
          expiresInSeconds: given.expires_in,
        });
        return 'done' in outcome ? answer(outcome.done) : outcome;
      },
    },
    {
      ...shared,
      method: 'POST',
      path: '/checkout-sessions/:id/expire',
      operationId: 'expireCheckoutSession',
      summary: 'Expire an open checkout session',
      description: 'Ends it now: the customer can no longer pay, and the payment intent becomes `expired`.',
      id,
      body: noBody,
      idempotent: true,
      success: { status: 200, description: 'The expired session.', body: sessionSchema },
      errors: ['checkout_session_not_found', 'session_not_open', 'payment_in_progress'],
      handle: async ({ caller, id, once }) => {
        const outcome = await expireCheckoutSession(
          deps,
          caller,
          id,
          once && ((session) => once.receipt(answer(session))),
        );
        return 'done' in outcome ? answer(outcome.done) : outcome;
      },
    },
  ];
}
