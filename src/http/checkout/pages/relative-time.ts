// Formats "in 30 seconds", with the right plural in each language.

import { type Language, languages } from '../views.ts';

const formatters = new Map(
  languages.map((language) => [language, new Intl.RelativeTimeFormat(language, { numeric: 'always' })]),
);

export function relativeTime(seconds: number, language: Language): string {
  const whole = Math.max(1, Math.ceil(seconds));
  const formatter = formatters.get(language) ?? new Intl.RelativeTimeFormat(language);
  return whole < 90 ? formatter.format(whole, 'second') : formatter.format(Math.ceil(whole / 60), 'minute');
}
