// What the API returns about customers, and how merchants ask for it.

import { collectableDetails } from '../../domain/customer-details.ts';
import { Type } from '../schema.ts';
import { nullable, nullableString, stringEnum } from './schemas.ts';

export const collect = Type.Array(stringEnum(collectableDetails, { title: 'Customer detail' }), {
  uniqueItems: true,
  default: [],
  description:
    'What the checkout page asks the customer for. An address comes with a name. The email address is not asked for if you pass `customer_email`.',
  examples: [['email', 'shipping_address']],
});

const address = (description: string, example: object | null) =>
  nullable(
    Type.Object(
      {
        line1: Type.String({ examples: ['12 Rue Cler'] }),
        line2: nullableString(),
        city: Type.String({ examples: ['Paris'] }),
        postal_code: nullableString({ examples: ['75007'] }),
        state: nullableString({ description: 'The state, province or region.' }),
        country: Type.String({ examples: ['FR'], description: 'An ISO 3166-1 code.' }),
      },
      { title: 'Address', description, examples: [example] },
    ),
  );

export const knownDetails = Type.Object(
  {
    email: nullableString({
      examples: ['ada@example.com'],
      description: 'Entered by the customer, or passed by you.',
    }),
    phone: nullableString({
      description: 'As the customer entered it, without spaces: `+33612345678`, or without a country code.',
    }),
    name: nullableString({ examples: ['Ada Lovelace'] }),
    billing_address: address('Where the invoice goes.', null),
    shipping_address: address('Where the order goes.', {
      line1: '12 Rue Cler',
      line2: null,
      city: 'Paris',
      postal_code: '75007',
      state: null,
      country: 'FR',
    }),
  },
  {
    title: 'Customer details',
    description:
      'What is known about the customer: see `collect`. `null` if nothing is known, and once it has been erased.',
  },
);

export const customerDetails = nullable(knownDetails);
