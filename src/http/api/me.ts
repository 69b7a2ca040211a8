// GET /me: the merchant and mode that a key belongs to.

import { isoTime } from '../../domain/moment.ts';
import { Type } from '../schema.ts';
import { type ApiRoute, apiRoute } from './route.ts';
import { currency, id, nullableString, paymentMethodType, time } from './schemas.ts';

const merchantSchema = Type.Object(
  {
    id: id('acct'),
    object: Type.Literal('merchant'),
    name: Type.String({ examples: ['Acme Coffee'] }),
    livemode: Type.Boolean({ description: 'The mode of the API key used: `false` in test mode.' }),
    api_key: id('key', 'The id of the API key used.'),
    currencies: Type.Array(currency, { description: 'The currencies enabled for this account.' }),
    payment_method_types: Type.Array(paymentMethodType, {
      description: 'The payment methods enabled for this account.',
    }),
    receipts: Type.Boolean({
      description:
        'Whether customers get receipts and refund notices by e-mail, provided that the installation sends e-mail.',
    }),
    reply_to: nullableString({
      description: 'The address that replies to these messages go to.',
      examples: ['support@shop.example'],
    }),
    embed_origins: Type.Array(Type.String({ examples: ['https://shop.example'] }), {
      description: 'The origins whose pages may embed the checkout. In test mode, `localhost` may too.',
    }),
    created_at: time('When the account was created.'),
  },
  { $id: 'Merchant', title: 'Merchant' },
);

export function meRoutes(): ApiRoute[] {
  return [
    apiRoute({
      method: 'GET',
      path: '/me',
      operationId: 'getMe',
      tag: 'Account',
      summary: 'Retrieve the current merchant',
      description: 'Returns the merchant and mode that the API key belongs to. Use it to check that a key works.',
      success: { status: 200, description: 'The merchant.', body: merchantSchema },
      errors: [],
      handle: async ({ caller: { merchant, livemode, keyId } }) => ({
        status: 200,
        body: {
          id: merchant.id,
          object: 'merchant',
          name: merchant.name,
          livemode,
          api_key: keyId,
          currencies: merchant.currencies,
          payment_method_types: merchant.paymentMethodTypes,
          receipts: merchant.receipts,
          reply_to: merchant.replyTo,
          embed_origins: merchant.embedOrigins,
          created_at: isoTime(merchant.createdAt),
        },
      }),
    }),
  ];
}
