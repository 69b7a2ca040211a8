// Reads settings from the file `.env` in the working directory: `NAME=value` lines, as `docker compose` and `node
// --env-file` read them. Existing environment variables take precedence. Problems are reported by line number, because
// values may be secrets.

import { readFileSync } from 'node:fs';

export const envFileName = '.env';

export interface EnvFile {
  /** Variables that were set from the file. */
  readonly applied: readonly string[];
  /** Variables that the environment already had. */
  readonly overridden: readonly string[];
  /** If there are any, nothing is applied. */
  readonly problems: readonly string[];
}

/** Sets the variables of the file in the environment; null if there is no file. */
export function loadEnvFile(environment: NodeJS.ProcessEnv): EnvFile | null {
  let text: string;
  try {
    text = readFileSync(envFileName, 'utf8');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // A directory with this name is not ours: Python virtual environments are often called `.env`.
    if (code === 'ENOENT' || code === 'EISDIR') return null;
    const advice = 'let this user read it, or run the command in another folder';
    return { applied: [], overridden: [], problems: [`${envFileName} cannot be read (${code}): ${advice}`] };
  }
  const { values, problems } = parseEnvFile(text);
  if (problems.length > 0) return { applied: [], overridden: [], problems };
  const names = [...values.keys()];
  const overridden = names.filter((name) => environment[name] !== undefined);
  const applied = names.filter((name) => environment[name] === undefined);
  for (const name of applied) environment[name] = values.get(name);
  return { applied, overridden, problems };
}

const blankLine = /[ \t]*(?:#.*)?\r?(?:\n|$)/y;
const name = /[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_.-]*)[ \t]*=[ \t]*/y;
/**
 * A quoted value may contain anything, including line breaks; an unquoted one ends at the end of the line, or before `
 * #`.
 */
const value = /(?:'([^']*)'|"((?:\\[\s\S]|[^"\\])*)"|((?!['"]).*?))[ \t]*(?:(?<=[ \t=])#.*)?\r?(?:\n|$)/y;

export function parseEnvFile(text: string): { values: Map<string, string>; problems: string[] } {
  const values = new Map<string, string>();
  const problems: string[] = [];
  let at = text.startsWith('\ufeff') ? 1 : 0;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  while (at < text.length) {
    if (match(blankLine) !== null) continue;
    const line = text.slice(0, at).split('\n').length;
    const named = match(name);
    const assigned = named && match(value);
    if (named !== null && assigned !== null) {
      const [, single, double, bare] = assigned;
      values.set(named[1] ?? '', single ?? unescaped(double) ?? bare ?? '');
      continue;
    }
    const rule = named === null ? 'must be NAME=value' : 'has an unclosed quote, or text after the closing quote';
    problems.push(`${envFileName}, line ${line}: ${rule}`);
    const end = text.indexOf('\n', at);
    at = end === -1 ? text.length : end + 1;
  }
  return { values, problems };
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

function unescaped(text: string | undefined): string | undefined {
  return text?.replace(/\\([nrt"\\$])/g, (_, character: string) => escapes[character] ?? character);
}
