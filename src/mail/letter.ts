// What a message says, in the customer's language, before it becomes text or HTML.

import type { Payment } from '../domain/life-cycle.ts';
import type { MailMessage } from '../domain/mail-message.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { LineItem } from '../domain/money.ts';
import type { PaymentMethod } from '../domain/payment-intent.ts';
import type { Refund } from '../domain/refund.ts';
import { chooseLanguage } from '../http/checkout/pages/choose-language.ts';
import { cardName, methodName } from '../http/checkout/pages/method-names.ts';
import { formatMoney } from '../http/checkout/pages/money-format.ts';
import { formatTime } from '../http/checkout/pages/time-format.ts';
import { translations } from '../http/checkout/pages/translations/all.ts';
import type { Texts } from '../http/checkout/pages/translations/texts.ts';
import type { Language } from '../http/checkout/views.ts';
import { safeName, shortened } from './plain-text.ts';
import { mailTexts } from './texts/all.ts';

export interface Letter {
  readonly language: Language;
  readonly subject: string;
  readonly merchant: string;
  /** `#rrggbb`. */
  readonly accentColor: string | null;
  /** Says that it is only a test; null in live mode. */
  readonly testNote: string | null;
  readonly title: string;
  readonly body: string;
  /** In large type; null: none. */
  readonly amount: string | null;
  readonly description: string | null;
  readonly facts: readonly LetterFact[];
  readonly items: LetterItems | null;
  readonly contact: string;
  readonly footer: string;
}

export interface LetterFact {
  readonly label: string;
  readonly value: string;
  /** An identifier, which is written from left to right in every language. */
  readonly isCode?: true;
}

export interface LetterItems {
  readonly heading: string;
  readonly rows: readonly LetterItem[];
  /** How many are not listed; null: none. */
  readonly further: string | null;
  readonly total: LetterFact;
}

export interface LetterItem {
  readonly name: string;
  readonly price: string;
  /** Quantity and price of one; null for a single one. */
  readonly each: string | null;
  readonly description: string | null;
}

export interface LetterSubject extends Payment {
  readonly merchant: Pick<Merchant, 'name' | 'accentColor' | 'replyTo'>;
  /** Refund notices only. */
  readonly refund: Refund | null;
}

/** Mail programs cut longer messages, and nobody reads them. */
const maxItems = 50;
const maxDescriptionLength = 300;

export function letterFor(message: MailMessage, about: LetterSubject): Letter {
  const { intent, session, refund } = about;
  const { language, locale } = chooseLanguage(message.locale, undefined);
  const texts = translations[language];
  const ofMail = mailTexts[language];
  const merchant = safeName(about.merchant.name);
  const money = (amountMinor: number | bigint): string => formatMoney(amountMinor, intent.currency, locale);
  const amount = money(refund?.amount ?? intent.amountCaptured);
  const { title, body } = refund === null ? texts.paid(merchant) : ofMail.refund(merchant, amount);
  const subject = refund === null ? ofMail.receiptSubject(merchant) : ofMail.refundSubject(merchant);
  // Money that arrived although the payment had ended is returned without having been part of it.
  const isPartOfPayment = refund !== null && intent.amountCaptured > 0;
  const description = session.description === null ? null : shortened(session.description, maxDescriptionLength);
  return {
    ...{ language, merchant, accentColor: about.merchant.accentColor, title, body, amount, description },
    subject: message.livemode ? subject : `[${ofMail.test}] ${subject}`,
    testNote: message.livemode ? null : ofMail.testNote,
    facts: [
      { label: refund === null ? texts.amount : ofMail.refundAmount, value: amount },
      ...(isPartOfPayment ? [{ label: ofMail.originalPayment, value: money(intent.amountCaptured) }] : []),
      { label: texts.date, value: formatTime(message.createdAt, locale) },
      ...methodFact(intent.paymentMethod, texts),
      { label: texts.reference, value: intent.id, isCode: true },
    ],
    items: refund === null ? itemsOf(session.lineItems, money, intent.amount, { texts, language }) : null,
    contact: about.merchant.replyTo === null ? ofMail.askMerchant(merchant) : ofMail.replyWithQuestions(merchant),
    footer: texts.secured,
  };
}

function methodFact(method: PaymentMethod | null, texts: Texts): LetterFact[] {
  if (method === null) return [];
  const { type, card } = method;
  const value = type === 'card' ? cardName(card?.brand, card?.last4, texts) : methodName(type, texts);
  return [{ label: texts.paymentMethod, value }];
}

function itemsOf(
  items: readonly LineItem[] | null,
  money: (amountMinor: number | bigint) => string,
  total: number,
  { texts, language }: { readonly texts: Texts; readonly language: Language },
): LetterItems | null {
  if (items === null || items.length === 0) return null;
  const listed = items.slice(0, maxItems);
  const left = items.length - listed.length;
  return {
    heading: texts.orderDetails,
    rows: listed.map(({ name, quantity, unitAmount, description }) => ({
      name: shortened(name, maxDescriptionLength),
      price: money(BigInt(quantity) * BigInt(unitAmount)),
      each: quantity > 1 ? `${quantity} × ${money(unitAmount)}` : null,
      description: description === null ? null : shortened(description, maxDescriptionLength),
    })),
    further: left === 0 ? null : mailTexts[language].furtherItems(left),
    total: { label: texts.total, value: money(total) },
  };
}
