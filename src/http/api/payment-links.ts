// Payment links over the API: create, retrieve, list, update.

import { type Refusal, refuse } from '../../domain/errors.ts';
import { readTime } from '../../domain/moment.ts';
import type { PaymentLink } from '../../domain/payment-link.ts';
import { createPaymentLink, type PaymentLinkDeps } from '../../usecases/create-payment-link.ts';
import { paymentLinkNotFound } from '../../usecases/refusals.ts';
import { updatePaymentLink } from '../../usecases/update-payment-link.ts';
import type { Caller } from '../authenticate.ts';
import { parseLineItems } from './checkout-session-schema.ts';
import { listOf, listQuery, listResponse } from './list.ts';
import { createLinkBody, linkSchema, linkStatus, patchLinkBody, serialiseLink } from './payment-link-schema.ts';
import { type ApiResponse, type ApiRoute, apiRoute } from './route.ts';

export function paymentLinkRoutes(deps: PaymentLinkDeps & { readonly publicUrl: string }): ApiRoute[] {
  const { store, moment, publicUrl } = deps;
  const shown = (link: PaymentLink, { merchant }: Caller) =>
    serialiseLink(link, { publicUrl, merchant, now: moment().now });
  const id = { prefix: 'plink', notFound: paymentLinkNotFound } as const;
  const shared = { tag: 'Payment Links' };
  return [
    apiRoute({
      ...shared,
      method: 'POST',
      path: '/payment-links',
      operationId: 'createPaymentLink',
      summary: 'Create a payment link',
      description:
        'Creates a link that customers can pay without your server: send them its `url`, or print its QR code. Each customer who continues from its page gets a checkout session of their own.',
      body: createLinkBody,
      idempotent: 'in_one_commit',
      success: { status: 201, description: 'The active link.', body: linkSchema },
      errors: [
        'currency_not_supported',
        'currency_not_enabled',
        'payment_method_not_enabled',
        'live_mode_not_configured',
      ],
      handle: async ({ caller, body, once }) => {
        const expiresAt = readExpiry(body.expires_at ?? null);
        if (expiresAt === 'invalid') return invalidExpiry;
        const created = (link: PaymentLink): ApiResponse => ({ status: 201, body: shown(link, caller) });
        const outcome = await createPaymentLink(
          deps,
          caller,
          {
            type: body.type ?? 'fixed',
            amount: body.amount ?? null,
            minimumAmount: body.minimum_amount ?? null,
            maximumAmount: body.maximum_amount ?? null,
            currency: body.currency,
            description: body.description ?? null,
            lineItems: body.line_items === undefined ? null : parseLineItems(body.line_items),
            paymentMethodTypes: body.payment_method_types ?? null,
            captureMethod: body.capture_method ?? 'automatic',
            redirectUrl: body.redirect_url ?? null,
            collect: body.collect ?? [],
            maxUses: body.max_uses ?? null,
            metadata: body.metadata ?? {},
            expiresAt,
          },
          once && ((link) => once.receipt(created(link))),
        );
        return 'done' in outcome ? created(outcome.done) : outcome;
      },
    }),
    apiRoute({
      ...shared,
      method: 'GET',
      path: '/payment-links',
      operationId: 'listPaymentLinks',
      summary: 'List payment links',
      description: 'Newest first.',
      query: listQuery(linkStatus),
      success: { status: 200, description: 'One page of the list.', body: listOf(linkSchema, 'Payment Links') },
      errors: [],
      handle: ({ caller, query }) =>
        listResponse(
          query,
          'plink',
          (page) => store.replica.list('paymentLinks', { ...page, scope: caller, where: { status: query.status } }),
          (link) => shown(link, caller),
        ),
    }),
    apiRoute({
      ...shared,
      method: 'GET',
      path: '/payment-links/:id',
      operationId: 'getPaymentLink',
      summary: 'Retrieve a payment link',
      description: 'Returns the current state of the link.',
      id,
      success: { status: 200, description: 'The link.', body: linkSchema },
      errors: ['payment_link_not_found'],
      handle: async ({ caller, id }) => {
        const link = await store.find('paymentLinks', caller, id);
        return link === null ? paymentLinkNotFound(id) : { status: 200, body: shown(link, caller) };
      },
    }),
    apiRoute({
      ...shared,
      method: 'PATCH',
      path: '/payment-links/:id',
      operationId: 'updatePaymentLink',
      summary: 'Update a payment link',
      description:
        'Takes a JSON Merge Patch. Checkouts that were already started keep their terms: expire their sessions if they must not be paid. To change what is being paid for, create another link.',
      id,
      body: patchLinkBody,
      success: { status: 200, description: 'The updated link.', body: linkSchema },
      errors: ['payment_link_not_found'],
      handle: async ({ caller, id, body }) => {
        const expiresAt = body.expires_at === undefined ? undefined : readExpiry(body.expires_at);
        if (expiresAt === 'invalid') return invalidExpiry;
        const outcome = await updatePaymentLink(deps, caller, id, {
          active: body.active,
          description: body.description,
          metadata: body.metadata,
          redirectUrl: body.redirect_url,
          maxUses: body.max_uses,
          expiresAt,
        });
        return 'done' in outcome ? { status: 200, body: shown(outcome.done, caller) } : outcome;
      },
    }),
  ];
}

function readExpiry(text: string | null): number | null | 'invalid' {
  return text === null ? null : (readTime(text) ?? 'invalid');
}

const invalidExpiry: Refusal = refuse(
  'parameter_invalid',
  '`expires_at` must be a time with its time zone, such as 2027-01-31T18:00:00Z.',
  'expires_at',
);
