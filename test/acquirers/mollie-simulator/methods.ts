// The payment methods of the simulated account, with the rules that Mollie has for them.

export interface MethodRule {
  readonly description: string;
  /** Null: every currency of the account. */
  readonly currencies: readonly string[] | null;
  /** In minor units; null: no limit. */
  readonly minimum: number;
  readonly maximum: number | null;
  /** How long the customer has. */
  readonly expiresAfterMs: number;
  readonly manualCapture: boolean;
}

const minute = 60_000;
const bankMethod = { minimum: 1, maximum: null, expiresAfterMs: 60 * minute, manualCapture: false } as const;

export const methodRules: Readonly<Record<string, MethodRule>> = {
  ideal: { ...bankMethod, description: 'iDEAL', currencies: ['EUR'], maximum: 5_000_000 },
  bancontact: { ...bankMethod, description: 'Bancontact', currencies: ['EUR'], minimum: 2 },
  eps: { ...bankMethod, description: 'eps', currencies: ['EUR'], minimum: 100, maximum: 1_000_000 },
  blik: { ...bankMethod, description: 'BLIK', currencies: ['PLN'] },
  swish: { ...bankMethod, description: 'Swish', currencies: ['SEK'] },
  twint: { ...bankMethod, description: 'TWINT', currencies: ['CHF'], expiresAfterMs: 15 * minute },
  creditcard: {
    ...bankMethod,
    description: 'Card',
    currencies: null,
    maximum: 1_000_000,
    expiresAfterMs: 30 * minute,
    manualCapture: true,
  },
};

export const failureReasons: readonly string[] = [
  'authentication_abandoned',
  'authentication_failed',
  'authentication_required',
  'authentication_unavailable_acs',
  'card_declined',
  'card_expired',
  'inactive_card',
  'insufficient_funds',
  'invalid_cvv',
  'invalid_card_holder_name',
  'invalid_card_number',
  'invalid_card_type',
  'possible_fraud',
  'refused_by_issuer',
  'unknown_reason',
];

export const locales: readonly string[] =
  'en_US en_GB nl_NL nl_BE de_DE de_AT de_CH de_LU fr_FR fr_BE fr_LU es_ES ca_ES pt_PT it_IT nb_NO sv_SE fi_FI da_DK is_IS hu_HU pl_PL lv_LV lt_LT'.split(
    ' ',
  );
