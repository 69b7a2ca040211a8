// HTML templates that are safe from injection: every value in html`…` is escaped unless it is markup itself.

import { safeWebUrl } from '../../../domain/web-url.ts';

const markup = Symbol('markup');

export interface Html {
  readonly [markup]: string;
}

/** `null` and `false` render nothing, so that a part can be omitted with `condition && html…`. */
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

/** Our own markup, used verbatim. Never use it for text from outside. */
export function trusted(text: string): Html {
  return { [markup]: text };
}

export function toText(content: Html): string {
  return content[markup];
}

function isHtml(content: Html | readonly Html[]): content is Html {
  return markup in content;
}

function render(content: Content): string {
  if (typeof content === 'string') return escapeHtml(content);
  if (typeof content === 'number') return String(content);
  if (content === null || content === false) return '';
  if (isHtml(content)) return content[markup];
  let text = '';
  for (const part of content) text += part[markup];
  return text;
}

/**
 * The context of a placeholder: either escaping makes text safe, or nothing does and only our own markup is allowed.
 */
type Context = 'escapable' | 'markup only';

/** Parses the template like a browser, up to each placeholder. */
function contextsOf(strings: TemplateStringsArray): Context[] {
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

const contexts = new WeakMap<TemplateStringsArray, readonly Context[]>();

export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Html {
  let known = contexts.get(strings);
  if (known === undefined) {
    known = contextsOf(strings);
    contexts.set(strings, known);
  }
  let text = strings[0] ?? '';
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? null;
    if (known[index] === 'markup only' && (typeof value === 'string' || typeof value === 'number')) {
      throw new TypeError(`Text cannot be made safe here, quote the attribute: ${strings[index]}`);
    }
    text += render(value) + (strings[index + 1] ?? '');
  }
  return { [markup]: text };
}

/** A URL that is safe to link to: anything but http and https, especially `javascript:`, becomes null. */
export function webAddress(url: string | null): string | null {
  return url === null ? null : safeWebUrl(url);
}
