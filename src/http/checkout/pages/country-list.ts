// The countries as a list to choose from, in the customer's language and its alphabetical order. Made once for each
// language, because it takes milliseconds.

import { countries } from '../../../domain/countries.ts';
import type { Language } from '../views.ts';
import { type Html, html, trusted } from './html.ts';

const lists = new Map<Language, readonly (readonly [code: string, name: string])[]>();

function countriesIn(language: Language): readonly (readonly [code: string, name: string])[] {
  const known = lists.get(language);
  if (known !== undefined) return known;
  const names = new Intl.DisplayNames(language, { type: 'region' });
  const { compare } = new Intl.Collator(language);
  const list = countries
    .map((code) => [code, names.of(code) ?? code] as const)
    .sort(([, one], [, other]) => compare(one, other));
  lists.set(language, list);
  return list;
}

/** The country of a locale such as `de-AT`; null if it names none. */
export function countryOf(locale: string): string | null {
  const { region } = new Intl.Locale(locale);
  return region !== undefined && countries.includes(region) ? region : null;
}

export function countryOptions(language: Language, chosen: string): readonly Html[] {
  return countriesIn(language).map(
    ([code, name]) => html`<option value="${code}"${code === chosen && trusted(' selected')}>${name}</option>`,
  );
}
