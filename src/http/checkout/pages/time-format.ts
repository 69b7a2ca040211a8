// Formats times in UTC, labelled as such, until the script converts them to the customer's time zone.

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
