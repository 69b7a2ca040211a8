// Prints each figure beside its limit from the same run.

export interface Figure {
  readonly name: string;
  readonly measured: number;
  readonly limit: number;
  /** The minimum share of the limit, or the maximum with `atMost`. */
  readonly wanted: number;
  readonly atMost?: boolean;
  readonly unit: string;
  readonly note?: string;
}

export function report(figures: readonly Figure[]): boolean {
  console.log('');
  for (const { name, measured, limit, wanted, atMost = false, unit, note } of figures) {
    const ratio = measured / limit;
    const met = atMost ? ratio <= wanted : ratio >= wanted;
    const sign = atMost ? '≤' : '≥';
    const figure = `${Math.round(measured)} of ${Math.round(limit)} ${unit}`;
    console.log(
      `${met ? 'met   ' : 'MISSED'}  ${name.padEnd(58)} ${ratio.toFixed(2)} (wanted ${sign} ${wanted.toFixed(2)})  ${figure}${note ? `  ${note}` : ''}`,
    );
  }
  return figures.every(({ measured, limit, wanted, atMost = false }) =>
    atMost ? measured / limit <= wanted : measured / limit >= wanted,
  );
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
