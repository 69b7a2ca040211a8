// Markup that cannot be broken out of: every value in an html`…` template is escaped unless it is markup itself.

import { safeWebUrl } from '../../../domain/web-url.ts';

const markup = Symbol('markup');

export interface Html {
  readonly [markup]: string;
}

/** `null` and `false` leave nothing, so that a part can be left out with `condition && html…`. */
export type Content = string | number | Html | readonly Html[] | null | false;

const special = /[&<>"'`\0]/;
const everySpecial = /[&<>"'`\0]/g;
const replacements: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
  '\0': '\uFFFD',
};

/** Safe in text and inside a quoted attribute value. */
export function escapeHtml(text: string): string {
  if (!special.test(text)) return text;
  return text.replace(everySpecial, (character) => replacements[character] ?? '');
}

/** Markup of our own, taken as it is. Never for text from outside. */
export function trusted(text: string): Html {
  return { [markup]: text };
}

export function toText(content: Html): string {
  return content[markup];
}

function isHtml(content: Html | readonly Html[]): content is Html {
  return markup in content;
}

function written(content: Content): string {
  if (typeof content === 'string') return escapeHtml(content);
  if (typeof content === 'number') return String(content);
  if (content === null || content === false) return '';
  if (isHtml(content)) return content[markup];
  let text = '';
  for (const part of content) text += part[markup];
  return text;
}

/** Where a hole stands: escaping makes text safe there, or nothing does and only markup of our own is taken. */
type Place = 'escapable' | 'markup only';

/** By reading the template as a browser would, up to each hole. */
function placesOf(strings: TemplateStringsArray): Place[] {
  let inTag = false;
  let quote = '';
  let rawElement = false;
  return strings.slice(0, -1).map((part) => {
    for (let index = 0; index < part.length; index += 1) {
      const character = part.charAt(index);
      if (quote !== '') {
        if (character === quote) quote = '';
      } else if (!inTag) {
        if (character === '<') {
          inTag = true;
          rawElement = /^<(?:script|style)\b/i.test(part.slice(index));
        }
      } else if (character === '>') inTag = false;
      else if (character === '"' || character === "'") quote = character;
    }
    return quote !== '' || (!inTag && !rawElement) ? 'escapable' : 'markup only';
  });
}

const places = new WeakMap<TemplateStringsArray, readonly Place[]>();

export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Html {
  let known = places.get(strings);
  if (known === undefined) {
    known = placesOf(strings);
    places.set(strings, known);
  }
  let text = strings[0] ?? '';
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? null;
    if (known[index] === 'markup only' && (typeof value === 'string' || typeof value === 'number')) {
      throw new TypeError(`Text cannot be made safe here, quote the attribute: ${strings[index]}`);
    }
    text += written(value) + (strings[index + 1] ?? '');
  }
  return { [markup]: text };
}

/** An address that may be followed: anything but http and https, `javascript:` above all, becomes null. */
export function webAddress(url: string | null): string | null {
  return url === null ? null : safeWebUrl(url);
}
