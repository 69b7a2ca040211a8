// Times on the page: in UTC, and said so, until the script knows the customer's own zone.

const maxFormatters = 100;
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterFor(locale: string): Intl.DateTimeFormat {
  const known = formatters.get(locale);
  if (known !== undefined) return known;
  const formatter = new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'UTC',
    timeZoneName: 'short',
  });
  if (formatters.size >= maxFormatters) formatters.clear();
  formatters.set(locale, formatter);
  return formatter;
}

/** `at` in milliseconds since 1970. */
export function formatTime(at: number, locale: string): string {
  return formatterFor(locale).format(at);
}
