// Text from outside, made fit for one line of a message.

/** Characters that change the direction of what follows: a name could make an amount look different. */
const directionControls = /[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/g;

/** Line breaks and other control characters become spaces. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\s\u2028\u2029]+/gu, ' ')
    .trim();
}

/** A name or description, as merchants chose it. */
export function safeName(text: string): string {
  return oneLine(text.replace(directionControls, ''));
}

export function shortened(text: string, maxLength: number): string {
  const line = safeName(text);
  return line.length <= maxLength ? line : `${line.slice(0, maxLength).toWellFormed()}…`;
}
