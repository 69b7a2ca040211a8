// Compares output with what a guide shows. `…` matches anything, and any time matches any other.

/** Returns the first difference, or null. */
export function difference(shown: unknown, got: unknown, where = ''): string | null {
  if (shown === '…') return null;
  if (typeof shown === 'string' && typeof got === 'string') {
    if (isTime(shown) && isTime(got)) return null;
    return patternOf(shown).test(got) ? null : mismatch(shown, got, where);
  }
  if (Array.isArray(shown) && Array.isArray(got)) {
    const open = shown.at(-1) === '…';
    const listed = open ? shown.slice(0, -1) : shown;
    if (open ? got.length < listed.length : got.length !== listed.length)
      return `${where} has ${got.length} entries, the guide shows ${listed.length}`;
    return first(listed.map((member, at) => difference(member, got[at], `${where}[${at}]`)));
  }
  if (isObject(shown) && isObject(got)) {
    const open = '…' in shown;
    const missing = Object.keys(shown).filter((name) => name !== '…' && !(name in got));
    const unshown = open ? [] : Object.keys(got).filter((name) => !(name in shown));
    if (missing.length + unshown.length > 0)
      return `${where || 'the response'}: only in the guide: ${missing.join()}; not in the guide: ${unshown.join()}`;
    const named = Object.entries(shown).filter(([name]) => name !== '…');
    return first(named.map(([name, member]) => difference(member, got[name], `${where}.${name}`)));
  }
  return Object.is(shown, got) ? null : mismatch(shown, got, where);
}

/** Checks that the output contains every line of the guide, in this order. */
export function missingLine(shown: string, output: string): string | null {
  const lines = output.split('\n');
  let from = 0;
  for (const wanted of shown.split('\n').filter((line) => line.trim() !== '' && line.trim() !== '…')) {
    const pattern = patternOf(wanted.trim());
    const at = lines.findIndex((line, index) => index >= from && pattern.test(line.trim()));
    if (at === -1) return `no line matches "${wanted.trim()}" in:\n${output}`;
    from = at + 1;
  }
  return null;
}

/** `…` stands for anything, and the columns of a table may be of any width. */
function patternOf(text: string): RegExp {
  const parts = text.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/ {2,}/g, ' {2,}'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}

const isTime = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text);

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function first(found: readonly (string | null)[]): string | null {
  return found.find((one) => one !== null) ?? null;
}

function mismatch(shown: unknown, got: unknown, where: string): string {
  return `${where || 'the response'} is ${JSON.stringify(got)}, the guide shows ${JSON.stringify(shown)}`;
}
