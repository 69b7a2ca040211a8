// Moments in the viewer's time zone, with UTC on hover.

const dateAndTime = new Intl.DateTimeFormat(navigator.languages, { dateStyle: 'medium', timeStyle: 'short' });
const withSeconds = new Intl.DateTimeFormat(navigator.languages, { dateStyle: 'medium', timeStyle: 'medium' });
const dateOnly = new Intl.DateTimeFormat(navigator.languages, { dateStyle: 'medium' });
const relative = new Intl.RelativeTimeFormat(navigator.languages, { numeric: 'auto' });

const formats = { minutes: dateAndTime, seconds: withSeconds, date: dateOnly } as const;

export function formatTime(at: string, precision: keyof typeof formats = 'minutes'): string {
  return formats[precision].format(new Date(at));
}

export function utcText(at: string): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** "3 minutes ago"; `now` in milliseconds. */
export function relativeTime(at: string, now: number): string {
  const distance = new Date(at).getTime() - now;
  const [unit, ms] = units.find(([, length]) => Math.abs(distance) >= length) ?? (['second', 1_000] as const);
  return relative.format(Math.round(distance / ms), unit);
}

export function Time({
  at,
  precision = 'minutes',
}: {
  /** ISO 8601. */
  readonly at: string;
  readonly precision?: keyof typeof formats;
}) {
  return (
    <time dateTime={at} title={utcText(at)} className="number">
      {formatTime(at, precision)}
    </time>
  );
}
