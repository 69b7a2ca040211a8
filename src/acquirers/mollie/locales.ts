// The languages of Mollie's pages.

const supported = new Set(
  `en_US en_GB nl_NL nl_BE de_DE de_AT de_CH de_LU fr_FR fr_BE fr_LU es_ES ca_ES pt_PT it_IT nb_NO sv_SE fi_FI da_DK
  is_IS hu_HU pl_PL lv_LV lt_LT`.split(/\s+/),
);

/** The locale for a language whose region Mollie does not have. */
const byLanguage = new Map([...supported].reverse().map((locale) => [locale.slice(0, 2), locale] as const));
byLanguage.set('no', 'nb_NO');
byLanguage.set('nn', 'nb_NO');

/** Null if Mollie does not have the language: then its pages use the browser's. */
export function mollieLocale(tag: string): string | null {
  const [language = '', ...subtags] = tag.split(/[-_]/);
  const region = subtags.find((subtag) => /^[A-Za-z]{2}$/.test(subtag));
  const exact = `${language.toLowerCase()}_${(region ?? '').toUpperCase()}`;
  return supported.has(exact) ? exact : (byLanguage.get(language.toLowerCase()) ?? null);
}
