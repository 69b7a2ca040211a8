// The merchant's settings, which apply to both modes: what customers see, and what they can pay with.

import { userActor } from '../../domain/audit-entry.ts';
import { currencies } from '../../domain/currencies.ts';
import { type Merchant, maxMerchantNameLength } from '../../domain/merchant.ts';
import type { Moment } from '../../domain/moment.ts';
import { paymentMethodTypes } from '../../domain/payment-methods.ts';
import type { Store } from '../../storage/store.ts';
import { type MerchantPatch, updateMerchant } from '../../usecases/update-merchant.ts';
import { currency, id, nullableString, paymentMethodType } from '../api/schemas.ts';
import { type Static, Type } from '../schema.ts';
import { asSentence } from './as-sentence.ts';
import { type DashboardRoute, dashboardRoute } from './route.ts';

const maxTextLength = 2_048;

const name = Type.String({
  minLength: 1,
  maxLength: maxMerchantNameLength,
  description: 'The name shown to customers.',
});
const logoUrl = nullableString({ maxLength: maxTextLength, description: 'The https URL of an image.' });
const accentColor = nullableString({ maxLength: 20, description: 'Such as #0a7c5a.' });
const replyTo = nullableString({ maxLength: 320, description: 'Where replies to receipts go.' });

/** Each field of `MerchantPatch` has a line here, in `patchBody`, in `patchOf` and in `serialise`. */
const settingsSchema = Type.Object({
  merchant: id('acct'),
  object: Type.Literal('settings'),
  name,
  logo_url: logoUrl,
  accent_color: accentColor,
  currencies: Type.Array(currency),
  payment_method_types: Type.Array(paymentMethodType),
  receipts: Type.Boolean({
    description: 'Whether customers get receipts by e-mail, if this installation sends e-mail.',
  }),
  reply_to: replyTo,
  embed_origins: Type.Array(Type.String(), { description: 'The sites that may embed the checkout.' }),
  sends_mail: Type.Boolean({ description: 'Whether this installation sends e-mail.' }),
  available_currencies: Type.Array(Type.String()),
  available_payment_method_types: Type.Array(paymentMethodType),
});
export type SettingsBody = Static<typeof settingsSchema>;

const patchBody = Type.Object(
  {
    name: Type.Optional(name),
    logo_url: Type.Optional(logoUrl),
    accent_color: Type.Optional(accentColor),
    currencies: Type.Optional(Type.Array(Type.String({ maxLength: 10 }), { maxItems: 400 })),
    payment_method_types: Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 100 })),
    receipts: Type.Optional(Type.Boolean()),
    reply_to: Type.Optional(replyTo),
    embed_origins: Type.Optional(Type.Array(Type.String({ maxLength: maxTextLength }), { maxItems: 100 })),
  },
  { additionalProperties: false },
);
export type SettingsPatch = Static<typeof patchBody>;

export interface SettingsDeps {
  readonly store: Store;
  readonly moment: () => Moment;
  readonly sendsMail: boolean;
}

export function settingsRoutes({ store, moment, sendsMail }: SettingsDeps): DashboardRoute[] {
  const serialise = (merchant: Merchant): SettingsBody => ({
    merchant: merchant.id,
    object: 'settings',
    name: merchant.name,
    logo_url: merchant.logoUrl,
    accent_color: merchant.accentColor,
    currencies: [...merchant.currencies],
    payment_method_types: [...merchant.paymentMethodTypes],
    receipts: merchant.receipts,
    reply_to: merchant.replyTo,
    embed_origins: [...merchant.embedOrigins],
    sends_mail: sendsMail,
    available_currencies: [...currencies],
    available_payment_method_types: [...paymentMethodTypes],
  });
  return [
    dashboardRoute({
      method: 'GET',
      path: '/settings',
      may: 'settings',
      handle: async ({ staff }) => ({ status: 200, body: serialise(staff.merchant) }),
    }),
    dashboardRoute({
      method: 'PATCH',
      path: '/settings',
      may: 'settings',
      body: patchBody,
      handle: async ({ staff, body }) => {
        const deps = { store, moment, actor: userActor(staff.userId) };
        const outcome = asSentence(await updateMerchant(deps, staff.merchantId, patchOf(body)));
        return 'done' in outcome ? { status: 200, body: serialise(outcome.done) } : outcome;
      },
    }),
  ];
}

function patchOf(body: SettingsPatch): MerchantPatch {
  return {
    name: body.name,
    logoUrl: body.logo_url,
    accentColor: body.accent_color,
    currencies: body.currencies,
    methods: body.payment_method_types,
    receipts: body.receipts,
    replyTo: body.reply_to,
    embedOrigins: body.embed_origins,
  };
}
