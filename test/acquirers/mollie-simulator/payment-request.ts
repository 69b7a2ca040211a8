// Checks the body of a request to create a payment as Mollie does: unknown fields, missing fields, impossible values.

import { locales, methodRules } from './methods.ts';
import { MollieError } from './mollie-error.ts';
import { minorUnits } from './money.ts';

export interface PaymentRequest {
  readonly amount: number;
  readonly currency: string;
  readonly description: string;
  readonly redirectUrl: string;
  readonly webhookUrl: string | null;
  readonly method: string;
  readonly locale: string | null;
  readonly captureMode: 'automatic' | 'manual';
  readonly metadata: unknown;
}

const fields = [
  'amount',
  'description',
  'redirectUrl',
  'cancelUrl',
  'webhookUrl',
  'method',
  'locale',
  'captureMode',
  'metadata',
];

export function refuseUnknownFields(body: Readonly<Record<string, unknown>>, known: readonly string[]): void {
  for (const field of Object.keys(body)) {
    if (!known.includes(field))
      throw new MollieError(422, `Non-existent body parameter "${field}" for this API call`, field);
  }
}

export function checkMetadata(metadata: unknown): unknown {
  if (Buffer.byteLength(JSON.stringify(metadata ?? null)) > 1024) {
    throw new MollieError(422, 'The metadata is too long', 'metadata');
  }
  return metadata ?? null;
}

function urlIn(body: Readonly<Record<string, unknown>>, field: string): string | null {
  const value = body[field];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string' || !URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) {
    throw new MollieError(422, `The ${field} is invalid`, field);
  }
  return value;
}

export function paymentRequest(body: Readonly<Record<string, unknown>>, enabled: readonly string[]): PaymentRequest {
  refuseUnknownFields(body, fields);
  const { currency, units: amount } = minorUnits(body.amount);
  const { description, method, locale = null, captureMode = 'automatic' } = body;
  if (typeof description !== 'string' || description === '') {
    throw new MollieError(422, 'The description is missing', 'description');
  }
  if (description.length > 255) throw new MollieError(422, 'The description is too long', 'description');
  const redirectUrl = urlIn(body, 'redirectUrl');
  if (redirectUrl === null) throw new MollieError(422, 'The redirect URL is missing', 'redirectUrl');
  const rule = typeof method === 'string' ? methodRules[method] : undefined;
  if (typeof method !== 'string' || rule === undefined || !enabled.includes(method)) {
    throw new MollieError(422, 'The payment method is not enabled in your website profile', 'method');
  }
  if (rule.currencies !== null && !rule.currencies.includes(currency)) {
    throw new MollieError(422, 'The amount contains a currency that the method does not support', 'amount');
  }
  if (amount < rule.minimum) throw new MollieError(422, 'The amount is lower than the minimum', 'amount');
  if (rule.maximum !== null && amount > rule.maximum) {
    throw new MollieError(422, 'The amount is higher than the maximum', 'amount');
  }
  if (locale !== null && !locales.includes(String(locale)))
    throw new MollieError(422, 'The locale is invalid', 'locale');
  if (captureMode !== 'automatic' && captureMode !== 'manual') {
    throw new MollieError(422, 'The capture mode is invalid', 'captureMode');
  }
  if (captureMode === 'manual' && !rule.manualCapture) {
    throw new MollieError(422, 'The payment method does not support manual capture', 'captureMode');
  }
  return {
    amount,
    currency,
    description,
    redirectUrl,
    webhookUrl: urlIn(body, 'webhookUrl'),
    method,
    locale: locale === null ? null : String(locale),
    captureMode,
    metadata: checkMetadata(body.metadata),
  };
}
