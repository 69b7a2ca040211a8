// The languages of Mollie's pages.

const supported = [
  ...(['en_US', 'en_GB', 'nl_NL', 'nl_BE', 'de_DE', 'de_AT', 'de_CH', 'de_LU', 'fr_FR', 'fr_BE', 'fr_LU'] as const),
  ...(['es_ES', 'ca_ES', 'pt_PT', 'it_IT', 'nb_NO', 'sv_SE', 'fi_FI', 'da_DK', 'is_IS', 'hu_HU', 'pl_PL'] as const),
  ...(['lv_LV', 'lt_LT'] as const),
];

export type MollieLocale = (typeof supported)[number];

const byLocale = new Map<string, MollieLocale>(supported.map((locale) => [locale, locale]));
/** For a language whose region Mollie does not have: its first one above. */
const byLanguage = new Map<string, MollieLocale>([
  ...supported.toReversed().map((locale) => [locale.slice(0, 2), locale] as const),
  ['no', 'nb_NO'],
  ['nn', 'nb_NO'],
]);

/** Null if Mollie does not have the language: then its pages use the browser's. */
export function mollieLocale(tag: string): MollieLocale | null {
  const [language = '', ...subtags] = tag.toLowerCase().split(/[-_]/);
  const region = subtags.find((subtag) => /^[a-z]{2}$/.test(subtag)) ?? '';
  return byLocale.get(`${language}_${region.toUpperCase()}`) ?? byLanguage.get(language) ?? null;
}
