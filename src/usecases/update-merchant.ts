// Updates a merchant: name, currencies, payment methods, appearance. Takes effect within a second.

import { type AuditDetails, type AuditEntry, changesBetween, merchantEntry } from '../domain/audit-entry.ts';
import { isCurrency, upperCaseCode } from '../domain/currencies.ts';
import { maxEmbedOrigins, readEmbedOrigin } from '../domain/embed-origins.ts';
import { isRefusal, type Refusal, refuse } from '../domain/errors.ts';
import { mailAddress } from '../domain/mail-address.ts';
import { type Merchant, merchantNameProblem } from '../domain/merchant.ts';
import type { Moment } from '../domain/moment.ts';
import { isPaymentMethodType, paymentMethodTypes } from '../domain/payment-methods.ts';
import { readWebUrl } from '../domain/web-url.ts';
import type { Store } from '../storage/store.ts';
import { type Decision, decideAndCommit, type Outcome } from './decide-and-commit.ts';
import { merchantNotFound } from './refusals.ts';

export interface MerchantPatch {
  readonly name?: string | undefined;
  readonly currencies?: readonly string[] | undefined;
  readonly methods?: readonly string[] | undefined;
  /** Null removes it. */
  readonly logoUrl?: string | null | undefined;
  readonly accentColor?: string | null | undefined;
  readonly receipts?: boolean | undefined;
  readonly replyTo?: string | null | undefined;
  readonly embedOrigins?: readonly string[] | undefined;
}

export function updateMerchant(
  { store, moment, actor }: { store: Store; moment: () => Moment; actor: string },
  merchantId: string,
  patch: MerchantPatch,
): Promise<Outcome<Merchant>> {
  return decideAndCommit(store, async () => {
    const merchant = await store.findBy('merchants', 'id', merchantId);
    if (merchant !== null)
      return decide(merchant, patch, (details) =>
        merchantEntry(moment(), actor, 'merchant.updated', { merchant, details }),
      );
    return merchantNotFound(merchantId);
  });
}

function decide(
  merchant: Merchant,
  patch: MerchantPatch,
  record: (details: AuditDetails) => AuditEntry,
): Decision<Merchant> | Refusal {
  const badName = patch.name === undefined ? null : merchantNameProblem(patch.name);
  if (badName !== null) return refuse('parameter_invalid', badName, 'name');
  const currencies = patch.currencies?.map(upperCaseCode);
  if (currencies?.length === 0)
    return refuse('parameter_invalid', 'specify at least one currency, such as EUR', 'currencies');
  if (patch.methods?.length === 0)
    return refuse('parameter_invalid', 'specify at least one payment method, such as card', 'payment_method_types');
  const badCurrency = currencies?.find((code) => !isCurrency(code));
  if (badCurrency !== undefined) {
    return refuse(
      'currency_not_supported',
      `${badCurrency} is not a supported currency; use ISO 4217 codes such as EUR,USD`,
      'currencies',
    );
  }
  const badMethod = patch.methods?.find((type) => !isPaymentMethodType(type));
  if (badMethod !== undefined) {
    return refuse(
      'parameter_invalid',
      `${badMethod} is not a payment method; use ${paymentMethodTypes.join(', ')}`,
      'payment_method_types',
    );
  }
  const logo = patch.logoUrl == null ? null : parseLogoUrl(patch.logoUrl);
  if (isRefusal(logo)) return logo;
  if (patch.accentColor != null && !/^#[0-9a-f]{6}$/i.test(patch.accentColor)) {
    return refuse('parameter_invalid', `${patch.accentColor} is not a colour; use one such as #0a7c5a`, 'accent_color');
  }
  const replyTo = patch.replyTo == null ? null : mailAddress(patch.replyTo);
  if (patch.replyTo != null && replyTo === null) {
    return refuse(
      'parameter_invalid',
      `${patch.replyTo} is not an e-mail address; use one such as support@shop.example`,
      'reply_to',
    );
  }
  const embedOrigins = patch.embedOrigins === undefined ? merchant.embedOrigins : parseOrigins(patch.embedOrigins);
  if (isRefusal(embedOrigins)) return embedOrigins;
  const methods = patch.methods?.filter(isPaymentMethodType);
  const updated: Merchant = {
    ...merchant,
    name: patch.name ?? merchant.name,
    currencies: currencies === undefined ? merchant.currencies : [...new Set(currencies)].sort(),
    paymentMethodTypes: methods === undefined ? merchant.paymentMethodTypes : [...new Set(methods)],
    logoUrl: patch.logoUrl === undefined ? merchant.logoUrl : logo,
    accentColor: patch.accentColor === undefined ? merchant.accentColor : patch.accentColor,
    receipts: patch.receipts ?? merchant.receipts,
    replyTo: patch.replyTo === undefined ? merchant.replyTo : replyTo,
    embedOrigins,
  };
  const changes = changesBetween(merchant, updated, auditedFields);
  if (changes === null) return { changes: {}, result: merchant };
  return { changes: { merchants: [updated], auditEntries: [record(changes)] }, result: updated };
}

/** Its origin appears in the pages' content security policy. */
function parseLogoUrl(text: string): string | Refusal {
  const read = readWebUrl(text);
  if ('url' in read && read.url.startsWith('https:')) return read.url;
  const why = 'url' in read ? 'must be an https address' : read.wrong;
  return refuse('parameter_invalid', `the logo URL ${why}; use one such as https://shop.example/logo.svg`, 'logo_url');
}

/** They appear in the content security policy of the embedded checkout. */
function parseOrigins(texts: readonly string[]): string[] | Refusal {
  const origins = new Set<string>();
  for (const text of texts) {
    const read = readEmbedOrigin(text);
    if ('wrong' in read)
      return refuse('parameter_invalid', `${text} ${read.wrong}; an origin is https://shop.example`, 'embed_origins');
    origins.add(read.origin);
  }
  if (origins.size > maxEmbedOrigins)
    return refuse(
      'parameter_invalid',
      `at most ${maxEmbedOrigins} origins can be registered, not ${origins.size}`,
      'embed_origins',
    );
  return [...origins];
}

const auditedFields = {
  name: 'name',
  currencies: 'currencies',
  payment_method_types: 'paymentMethodTypes',
  logo_url: 'logoUrl',
  accent_color: 'accentColor',
  receipts: 'receipts',
  reply_to: 'replyTo',
  embed_origins: 'embedOrigins',
} as const;
