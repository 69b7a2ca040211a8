// Request bodies: JSON in UTF-8, of text that both storage engines give back unchanged.

import { type Refusal, refuse } from '../domain/errors.ts';

export const maxBodyBytes = 1024 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Only an escape can bring these in: a NUL, or half of a surrogate pair. */
const suspectEscape = /\\u(?:0000|d[89a-f])/i;

export function parseJson(bytes: Uint8Array): { readonly value: unknown } | Refusal {
  if (bytes.length === 0) return { value: undefined };
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return refuse('json_invalid', 'The body is not valid UTF-8. Send JSON encoded as UTF-8.');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return refuse('json_invalid', `The body is not valid JSON: ${position(error as Error)}. Check quotes and commas.`);
  }
  if ((suspectEscape.test(text) && hasUnstorableText(value)) || text.includes('\u0000')) {
    return refuse('parameter_invalid', 'A text has a NUL character or half of a surrogate pair. Remove it.');
  }
  return { value };
}

/** The parser's own message quotes the body, which may hold a secret: only the position is passed on. */
function position(error: Error): string {
  return /at position \d+/.exec(error.message)?.[0] ?? 'it ends too early or is no JSON at all';
}

function hasUnstorableText(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\u0000') || !value.isWellFormed();
  if (Array.isArray(value)) return value.some(hasUnstorableText);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, member]) => hasUnstorableText(key) || hasUnstorableText(member));
}
