// A message as a customer gets it, for tests that override single parts of it.

import { newMail } from '../../src/domain/mail-message.ts';
import { type Letter, type LetterSubject, letterFor } from '../../src/mail/letter.ts';
import { aMerchant, aMoment, aPayment } from '../support/records.ts';

export interface Overrides {
  readonly locale?: string;
  readonly livemode?: boolean;
  readonly merchant?: string;
  readonly replyTo?: string | null;
  readonly description?: string | null;
  readonly lineItems?: LetterSubject['session']['lineItems'];
  readonly refunded?: number | undefined;
  readonly accentColor?: string | null;
}

export function aLetter(overrides: Overrides = {}): Letter {
  const { locale = 'en', livemode = true, merchant = 'Acme Coffee', refunded } = overrides;
  const { intent, session } = aPayment();
  const scope = { merchantId: intent.merchantId, livemode };
  const card = { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2034 };
  const refund = { ...scope, id: 're_1', version: 1, paymentIntentId: intent.id, currency: 'EUR', reason: null };
  return letterFor(newMail(scope, { kind: 'receipt', paymentIntentId: intent.id, refundId: null, locale }, aMoment()), {
    intent: { ...intent, amountCaptured: intent.amount, paymentMethod: { type: 'card', card } },
    session: {
      ...session,
      description: overrides.description ?? null,
      lineItems: overrides.lineItems ?? null,
    },
    merchant: {
      ...aMerchant({ name: merchant }),
      replyTo: overrides.replyTo ?? null,
      accentColor: overrides.accentColor ?? null,
    },
    refund: refunded === undefined ? null : { ...refund, amount: refunded, status: 'succeeded', createdAt: 0 },
  });
}
