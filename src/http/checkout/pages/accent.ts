// Adjusts the merchant's accent colour so that text on it and lines in it meet WCAG contrast in both themes.

import { type Block, block } from './inline.ts';

type Rgb = readonly [number, number, number];

const paydeskBlue = '#1f4fd1';
const white: Rgb = [255, 255, 255];
const black: Rgb = [0, 0, 0];
/** The backgrounds of `styles/frame.css`, light and dark. */
const lightSurface: Rgb = [255, 255, 255];
const darkSurface: Rgb = [0x14, 0x1a, 0x22];
/** WCAG 1.4.11, for anything but text, such as the border of a control. */
const lineContrast = 3.2;
const steps = 40;

function parse(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function toHex(color: Rgb): string {
  return `#${color.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;
}

function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: Rgb, other: Rgb): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** For hex colours; used by the tests. */
export function contrastOf(one: string, other: string): number {
  return contrast(parse(one), parse(other));
}

/**
 * The colour with a different lightness (0 to 1) but the same hue and saturation, so that navy turns blue, not grey.
 */
function withLightness(color: Rgb, lightness: number): Rgb {
  const max = Math.max(...color) / 255;
  const min = Math.min(...color) / 255;
  const middle = (max + min) / 2;
  const saturation = max === min ? 0 : (max - min) / (1 - Math.abs(2 * middle - 1));
  const chroma = saturation * (1 - Math.abs(2 * lightness - 1));
  const share = (channel: number): number => (max === min ? 0 : (channel / 255 - min) / (max - min));
  const channel = (index: 0 | 1 | 2): number =>
    Math.round(255 * (lightness - chroma / 2 + chroma * share(color[index])));
  return [channel(0), channel(1), channel(2)];
}

/** The colour itself if it has enough contrast, otherwise only as much lighter or darker as needed. */
function withContrast(color: Rgb, surface: Rgb): Rgb {
  if (contrast(color, surface) >= lineContrast) return color;
  const end = luminance(surface) > 0.5 ? 0 : 1;
  const start = (Math.max(...color) + Math.min(...color)) / 510;
  for (let step = 1; step < steps; step += 1) {
    const adjusted = withLightness(color, start + ((end - start) * step) / steps);
    if (contrast(adjusted, surface) >= lineContrast) return adjusted;
  }
  return end === 0 ? black : white;
}

export interface AccentColors {
  /** The button. */
  readonly fill: string;
  /** Text on the button: black or white, one of which always has a contrast of at least 4.58. */
  readonly onFill: string;
  /** Borders, focus rings and radio dots. */
  readonly line: string;
}

function colorsOn(fill: Rgb, line: Rgb): AccentColors {
  const onFill = contrast(fill, white) >= 4.5 ? white : black;
  return { fill: toHex(fill), onFill: toHex(onFill), line: toHex(line) };
}

export function accentColors(accent: string | null): { readonly light: AccentColors; readonly dark: AccentColors } {
  const color = parse(accent !== null && /^#[0-9a-f]{6}$/i.test(accent) ? accent : paydeskBlue);
  const forDark = withContrast(color, darkSurface);
  return { light: colorsOn(color, withContrast(color, lightSurface)), dark: colorsOn(forDark, forDark) };
}

function css({ fill, onFill, line }: AccentColors): string {
  return `:root{--accent:${fill};--on-accent:${onFill};--accent-line:${line}}`;
}

const maxBlocks = 256;
const blocks = new Map<string | null, Block>();

/** A style element with the colours, built once per colour. */
export function accentStyle(accent: string | null): Block {
  const known = blocks.get(accent);
  if (known !== undefined) return known;
  const { light, dark } = accentColors(accent);
  const style = block('style', `${css(light)}@media (prefers-color-scheme:dark){${css(dark)}}`);
  if (blocks.size >= maxBlocks) {
    const oldest = blocks.keys().next();
    if (!oldest.done) blocks.delete(oldest.value);
  }
  blocks.set(accent, style);
  return style;
}
