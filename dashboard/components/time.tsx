// Moments in the viewer's time zone, with UTC on hover.

const day = { day: 'numeric', month: 'short' } as const;
const minute = { hour: 'numeric', minute: '2-digit' } as const;
const year = { year: 'numeric' } as const;
const relative = new Intl.RelativeTimeFormat(navigator.languages, { numeric: 'auto' });

const parts = {
  minutes: { ...day, ...minute },
  seconds: { ...day, ...minute, second: '2-digit' },
  date: day,
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

export type Precision = keyof typeof parts;

const formats = Object.fromEntries(
  Object.entries(parts).flatMap(([name, options]) => [
    [name, new Intl.DateTimeFormat(navigator.languages, options)],
    [`${name} of another year`, new Intl.DateTimeFormat(navigator.languages, { ...options, ...year })],
  ]),
);

/** The year is left out if it is the current one. */
export function formatTime(at: string, precision: Precision = 'minutes'): string {
  return halves(at, precision).join('');
}

const ofTheDay = new Set(['hour', 'minute', 'second', 'dayPeriod']);

/** The date and the time of day, in the order of the language: where space is short, a line ends between them. */
function halves(at: string, precision: Precision): [string, string] {
  const date = new Date(at);
  const isThisYear = date.getFullYear() === new Date().getFullYear();
  const all = formats[isThisYear ? precision : `${precision} of another year`]?.formatToParts(date) ?? [];
  const isOfTheDay = ({ type }: Intl.DateTimeFormatPart): boolean => ofTheDay.has(type);
  const [first] = all;
  const second = all.find((part) => part.type !== 'literal' && first && isOfTheDay(part) !== isOfTheDay(first));
  const split = second === undefined ? all.length : all.indexOf(second);
  const text = (parts: Intl.DateTimeFormatPart[]): string => parts.map(({ value }) => value).join('');
  return [text(all.slice(0, split)), text(all.slice(split))];
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
  readonly precision?: Precision;
}) {
  const [first, second] = halves(at, precision);
  const unbroken = first.trimEnd();
  return (
    <time dateTime={at} title={utcText(at)} className="number">
      <span>{unbroken}</span>
      {first.slice(unbroken.length)}
      <span>{second}</span>
    </time>
  );
}
