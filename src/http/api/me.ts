// GET /me: who a key belongs to, and what it may do.

import { Type } from 'typebox';
import { isoTime } from '../../domain/moment.ts';
import { type ApiRoute, apiRoute } from './route.ts';
import { currency, id, paymentMethodType, time } from './schemas.ts';

const merchantSchema = Type.Object(
  {
    id: id('acct'),
    object: Type.Literal('merchant'),
    name: Type.String({ examples: ['Acme Coffee'] }),
    livemode: Type.Boolean({ description: 'The mode of the key that asked.' }),
    api_key: id('key', 'The key that asked.'),
    currencies: Type.Array(currency, { description: 'Enabled for this account.' }),
    payment_method_types: Type.Array(paymentMethodType, { description: 'Enabled for this account.' }),
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
      summary: 'The merchant and mode behind the key',
      description: 'Also a way to check that a key works.',
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
          created_at: isoTime(merchant.createdAt),
        },
      }),
    }),
  ];
}
