// Judges each figure by its limit from the same run, and prints it.

export interface Figure {
  readonly name: string;
  readonly measured: number;
  readonly limit: number;
  /** The share of the limit, if both were measured in turns: see `compared`. Otherwise it follows from the two. */
  readonly ratio?: number;
  /** The minimum share of the limit, or the maximum with `atMost`. */
  readonly wanted: number;
  readonly atMost?: boolean;
  readonly unit: string;
  readonly note?: string;
  /** Why it is only reported: the machine has too few cores, for example. */
  readonly notJudged?: string;
}

export type Verdict = 'met' | 'missed' | 'not judged';

export interface Judgement {
  /** Of the limit. */
  readonly ratio: number;
  readonly verdict: Verdict;
}

export function judge({
  measured,
  limit,
  ratio = measured / limit,
  wanted,
  atMost = false,
  notJudged,
}: Figure): Judgement {
  // A limit that could not be measured must not look like a success.
  const met = Number.isFinite(ratio) && limit > 0 && (atMost ? ratio <= wanted : ratio >= wanted);
  return { ratio, verdict: notJudged === undefined ? (met ? 'met' : 'missed') : 'not judged' };
}

/** `0.54 (wanted ≥ 0.50)`. */
export function comparison(figure: Figure): string {
  return `${share(figure)} (wanted ${wantedShare(figure)})`;
}

/** With as many digits as it takes to see that a missed figure is missed. */
export function share(figure: Figure): string {
  const { ratio, verdict } = judge(figure);
  if (!Number.isFinite(ratio)) return 'none';
  const text = ratio.toFixed(2);
  return verdict === 'missed' && text === figure.wanted.toFixed(2) ? ratio.toFixed(4) : text;
}

/** `≥ 0.50`. */
export function wantedShare({ atMost = false, wanted }: Figure): string {
  return `${atMost ? '≤' : '≥'} ${wanted.toFixed(2)}`;
}

/** `42 100 of 78 000 /s`. */
export function amounts({ measured, limit, unit }: Figure): string {
  return `${amount(measured)} of ${amount(limit)} ${unit}`;
}

/** Thousands are separated by a space, so that 1 000 000 can be read; below 10, a decimal matters. */
export function amount(value: number): string {
  if (!Number.isFinite(value)) return 'unknown';
  const text = Math.abs(value) < 10 && !Number.isInteger(value) ? value.toFixed(1) : String(Math.round(value));
  return text.replace(/\B(?=(?:\d{3})+(?!\d)(?<!\.\d*))/g, ' ');
}

/** Returns whether none is missed. */
export function report(figures: readonly Figure[]): boolean {
  console.log('');
  for (const figure of figures) console.log(line(figure));
  return figures.every((figure) => judge(figure).verdict !== 'missed');
}

function line(figure: Figure): string {
  const { verdict } = judge(figure);
  const remarks = [figure.note, figure.notJudged].filter((text) => text !== undefined);
  const start = (verdict === 'missed' ? 'MISSED' : verdict).padEnd(10);
  return [start, figure.name.padEnd(70), comparison(figure), '', amounts(figure), '', ...remarks].join(' ').trimEnd();
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
