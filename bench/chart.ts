// Draws the figures of a run as an SVG: one row each, with a bar from zero to what was measured, a line at its limit, and a
// mark at what is wanted. Uses the colours of docs/pictures/, in light and dark mode.

import { escaped } from '../src/http/documentation/html-text.ts';
import { amounts, type Figure, judge, share, type Verdict, wantedShare } from './report.ts';

export interface Section {
  readonly title: string;
  readonly figures: readonly Figure[];
}

const width = 1080;
const rowHeight = 24;
const headingHeight = 38;
const margin = 16;
/** Columns: name, bar, ratio, amounts. */
const barX = 496;
const barWidth = 230;
const ratioX = barX + barWidth + 14;
const amountsX = ratioX + 116;
const legendHeight = 64;
/** On average, and rather too wide than too narrow. */
const characterWidth = 7;
/** The scale goes further than the limit and the wanted share, so that a bar can exceed both. */
const headroom = 1.25;

const classes: Record<Verdict, string> = { met: 'met', missed: 'missed', 'not judged': 'unjudged' };

const style = `
  text { font: 13px system-ui, sans-serif; fill: #1c2024; }
  .heading { font-size: 14px; font-weight: 600; }
  .small { font-size: 12px; fill: #5a6270; }
  .track { fill: #eef0f3; }
  .met { fill: #5b8fc9; }
  .missed { fill: #c8553d; }
  .unjudged { fill: #a8afb9; }
  .limit { stroke: #5a6270; stroke-width: 1.5; }
  .wanted { fill: #1c2024; }
  text.missed { fill: #b23a22; font-weight: 600; }
  text.met { fill: #1c2024; }
  text.unjudged { fill: #5a6270; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6e9ed; }
    .small { fill: #a2acb9; }
    .track { fill: #262c34; }
    .met { fill: #5f95d4; }
    .missed { fill: #e0735c; }
    .unjudged { fill: #6a7380; }
    .limit { stroke: #a2acb9; }
    .wanted { fill: #ffffff; }
    text.missed { fill: #ff9a85; }
    text.met { fill: #e6e9ed; }
    text.unjudged { fill: #a2acb9; }
  }`;

export function drawChart(sections: readonly Section[], title: string, footer: readonly string[]): string {
  const shown = sections.filter(({ figures }) => figures.length > 0);
  let y = margin;
  const parts: string[] = [];
  for (const { title: heading, figures } of shown) {
    parts.push(text(margin, y + 24, 'heading', heading));
    y += headingHeight;
    for (const figure of figures) {
      parts.push(row(figure, y));
      y += rowHeight;
    }
  }
  parts.push(legend(y + 26));
  y += legendHeight;
  for (const line of footer) {
    parts.push(text(margin, y, 'small', line));
    y += 18;
  }
  const height = y + margin;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>${escaped(title)}</title>
<style>${style}
</style>
${parts.join('\n')}
</svg>
`;
}

function row(figure: Figure, y: number): string {
  const { ratio, verdict } = judge(figure);
  const end = Math.max(1, figure.wanted) * headroom;
  const x = (share: number): number => round(barX + Math.min(1, Math.max(0, share / end)) * barWidth);
  const length = Number.isFinite(ratio) ? x(ratio) - barX : 0;
  const middle = y + rowHeight / 2;
  const wanted = x(figure.wanted);
  return [
    text(margin, middle + 5, '', figure.name, barX - margin - 8),
    `<rect class="track" x="${barX}" y="${y + 5}" width="${barWidth}" height="14" rx="2"/>`,
    `<rect class="${classes[verdict]}" x="${barX}" y="${y + 5}" width="${round(length)}" height="14" rx="2"/>`,
    `<path class="limit" d="M${x(1)} ${y + 3}V${y + 21}"/>`,
    `<path class="wanted" d="M${wanted} ${y + 6}l-5 -6h10z"/>`,
    text(ratioX, middle + 5, classes[verdict], `${share(figure)} ${wantedShare(figure)}`, amountsX - ratioX - 8),
    text(
      amountsX,
      middle + 5,
      'small',
      `${amounts(figure)}${verdict === 'met' ? '' : `, ${verdict}`}`,
      width - amountsX - 8,
    ),
  ].join('\n');
}

function legend(y: number): string {
  return [
    `<rect class="met" x="${margin}" y="${y - 11}" width="26" height="13" rx="2"/>`,
    text(margin + 34, y, 'small', 'measured'),
    `<rect class="missed" x="${margin + 112}" y="${y - 11}" width="26" height="13" rx="2"/>`,
    text(margin + 146, y, 'small', 'missed'),
    `<rect class="unjudged" x="${margin + 208}" y="${y - 11}" width="26" height="13" rx="2"/>`,
    text(margin + 242, y, 'small', 'not judged here'),
    `<path class="limit" d="M${margin + 356} ${y - 13}v18"/>`,
    text(margin + 366, y, 'small', 'limit, from the same run'),
    `<path class="wanted" d="M${margin + 534} ${y - 2}l-5 -6h10z"/>`,
    text(margin + 546, y, 'small', 'wanted: at least (≥) or at most (≤) this share of the limit'),
  ].join('\n');
}

/** Text that would be wider than `most` is set narrower, so that it never runs into the next column. */
function text(x: number, y: number, name: string, content: string, most = width - margin - x): string {
  const fit = content.length * characterWidth > most ? ` textLength="${most}" lengthAdjust="spacingAndGlyphs"` : '';
  return `<text${name === '' ? '' : ` class="${name}"`} x="${x}" y="${y}"${fit}>${escaped(content)}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
