// Which language the customer reads: the session's `locale`, else what the browser asks for, else English.

import { type Language, languages } from '../views.ts';

export interface ChosenLanguage {
  readonly language: Language;
  /** For money and dates: language, script and region as the customer gave them, such as `de-AT`. */
  readonly locale: string;
}

const english: ChosenLanguage = { language: 'en', locale: 'en' };
const maxHeaderLength = 500;

function isLanguage(code: string): code is Language {
  return (languages as readonly string[]).includes(code);
}

/** Null for what is not a language tag, or not one of ours. Extensions are dropped: they would only vary the digits. */
function chosenBy(tag: string): ChosenLanguage | null {
  try {
    const { language, script, region } = new Intl.Locale(tag.replaceAll('_', '-'));
    if (!isLanguage(language)) return null;
    return { language, locale: [language, script, region].filter((part) => part !== undefined).join('-') };
  } catch {
    return null;
  }
}

/** The tags of an Accept-Language header, most wanted first; `q=0` means not wanted. */
function wantedTags(header: string): string[] {
  const wanted: { tag: string; weight: number }[] = [];
  for (const entry of header.slice(0, maxHeaderLength).split(',')) {
    const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim());
    const quality = parameters.find((parameter) => /^q\s*=/i.test(parameter));
    const weight = quality === undefined ? 1 : Number(quality.slice(quality.indexOf('=') + 1));
    if (tag !== '' && weight > 0 && weight <= 1) wanted.push({ tag, weight });
  }
  return wanted.sort((one, other) => other.weight - one.weight).map(({ tag }) => tag);
}

export function chooseLanguage(sessionLocale: string | null, acceptLanguage: string | undefined): ChosenLanguage {
  if (sessionLocale !== null && sessionLocale !== 'auto') {
    const chosen = chosenBy(sessionLocale);
    if (chosen !== null) return chosen;
  }
  for (const tag of wantedTags(acceptLanguage ?? '')) {
    const chosen = chosenBy(tag);
    if (chosen !== null) return chosen;
  }
  return english;
}
