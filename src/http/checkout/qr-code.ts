// A QR code as an SVG image. Level M restores 15 % of a code that is scratched or badly printed.

import encodeQR from 'qr';

/** Readers find a code by the empty space around it: four modules, as the standard requires. */
const quietZone = 4;
/** In pixels, for viewers that ignore `viewBox`; it can be scaled to any size. */
const shownSize = 256;

export function qrCodeSvg(text: string): string {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: quietZone });
  const size = rows.length;
  const dark = rows.map((row, y) =>
    darkRuns(row)
      .map(({ x, length }) => `M${x} ${y}h${length}v1h-${length}z`)
      .join(''),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${shownSize}" height="${shownSize}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${dark.join('')}"/></svg>`;
}

/** Neighbouring modules are one rectangle, so that no gaps appear between them. */
function darkRuns(row: readonly boolean[]): { x: number; length: number }[] {
  const runs: { x: number; length: number }[] = [];
  for (const [x, isDark] of row.entries()) {
    const last = runs.at(-1);
    if (!isDark) continue;
    if (last !== undefined && last.x + last.length === x) last.length += 1;
    else runs.push({ x, length: 1 });
  }
  return runs;
}
