// Settings from the file `.env` of the working directory: `NAME=value` on each line, as `docker compose` and `node
// --env-file` read it. What the environment sets already stays. Problems are told by line, for values may be secrets.

import { readFileSync } from 'node:fs';

export const envFileName = '.env';

export interface EnvFile {
  /** What is in the environment now, and comes from the file. */
  readonly taken: readonly string[];
  /** What the environment had already. */
  readonly overridden: readonly string[];
  /** Where there is one, nothing is taken. */
  readonly problems: readonly string[];
}

/** Puts what the file sets into the environment; null where there is no file. */
export function loadEnvFile(environment: NodeJS.ProcessEnv): EnvFile | null {
  let text: string;
  try {
    text = readFileSync(envFileName, 'utf8');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // A folder of that name is somebody else's: Python's virtual environments are called so.
    if (code === 'ENOENT' || code === 'EISDIR') return null;
    const advice = 'let this user read it, or run the command in another folder';
    return { taken: [], overridden: [], problems: [`${envFileName} cannot be read (${code}): ${advice}`] };
  }
  const { values, problems } = parseEnvFile(text);
  if (problems.length > 0) return { taken: [], overridden: [], problems };
  const names = [...values.keys()];
  const overridden = names.filter((name) => environment[name] !== undefined);
  const taken = names.filter((name) => environment[name] === undefined);
  for (const name of taken) environment[name] = values.get(name);
  return { taken, overridden, problems };
}

const nothing = /[ \t]*(?:#.*)?\r?(?:\n|$)/y;
const name = /[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_.-]*)[ \t]*=[ \t]*/y;
/** Quoted, a value may hold anything, several lines too; else it ends at the line's end, or before ` #`. */
const value = /(?:'([^']*)'|"((?:\\[\s\S]|[^"\\])*)"|((?!['"]).*?))[ \t]*(?:(?<=[ \t=])#.*)?\r?(?:\n|$)/y;

export function parseEnvFile(text: string): { values: Map<string, string>; problems: string[] } {
  const values = new Map<string, string>();
  const problems: string[] = [];
  let at = text.startsWith('\ufeff') ? 1 : 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  while (at < text.length) {
    if (take(nothing) !== null) continue;
    const line = text.slice(0, at).split('\n').length;
    const named = take(name);
    const given = named && take(value);
    if (named !== null && given !== null) {
      const [, single, double, bare] = given;
      values.set(named[1] ?? '', single ?? unescaped(double) ?? bare ?? '');
      continue;
    }
    const rule = named === null ? 'must be NAME=value' : 'has a quote that is not closed, or more behind it';
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
