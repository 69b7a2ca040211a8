// Chooses the customer's language: the session's `locale`, otherwise the browser's preference, otherwise English.

import { type Language, languages } from '../views.ts';

export interface ChosenLanguage {
  readonly language: Language;
  /** For money and dates: language, script and region as requested, such as `de-AT`. */
  readonly locale: string;
}

const english: ChosenLanguage = { language: 'en', locale: 'en' };
const maxHeaderLength = 500;

function isLanguage(code: string): code is Language {
  return (languages as readonly string[]).includes(code);
}

/** Null if it is not a language tag or not supported. Extensions are dropped: they would only vary the digits. */
function languageFor(tag: string): ChosenLanguage | null {
  try {
    const { language, script, region } = new Intl.Locale(tag.replaceAll('_', '-'));
    if (!isLanguage(language)) return null;
    return { language, locale: [language, script, region].filter((part) => part !== undefined).join('-') };
  } catch {
    return null;
  }
}

/** The tags of an Accept-Language header, most preferred first; `q=0` means not acceptable. */
function preferredTags(header: string): string[] {
  const preferred: { tag: string; weight: number }[] = [];
  for (const entry of header.slice(0, maxHeaderLength).split(',')) {
    const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim());
    const quality = parameters.find((parameter) => /^q\s*=/i.test(parameter));
    const weight = quality === undefined ? 1 : Number(quality.slice(quality.indexOf('=') + 1));
    if (tag !== '' && weight > 0 && weight <= 1) preferred.push({ tag, weight });
  }
  return preferred.sort((one, other) => other.weight - one.weight).map(({ tag }) => tag);
}

export function chooseLanguage(sessionLocale: string | null, acceptLanguage: string | undefined): ChosenLanguage {
  if (sessionLocale !== null && sessionLocale !== 'auto') {
    const chosen = languageFor(sessionLocale);
    if (chosen !== null) return chosen;
  }
  for (const tag of preferredTags(acceptLanguage ?? '')) {
    const chosen = languageFor(tag);
    if (chosen !== null) return chosen;
  }
  return english;
}
