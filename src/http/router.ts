// Finds the route for a request.

import type { Route } from './route.ts';

export type Found =
  | { readonly route: Route; readonly id: string }
  /** The path exists, the method does not. */
  | { readonly allowed: readonly string[] }
  | null;

type Methods = ReadonlyMap<string, Route>;

/** Routes with the same prefix followed by an id: `/payment-intents/:id`, `/payment-intents/:id/cancel`. */
interface Family {
  readonly before: string;
  /** Keyed by what follows the id. */
  readonly methodsAfter: Map<string, Map<string, Route>>;
  /** Some path without an id has the same prefix: `/events/stream`. */
  hasExact: boolean;
}

export function router(routes: readonly Route[]): (method: string, path: string) => Found {
  const exact = new Map<string, Map<string, Route>>();
  const families: Family[] = [];
  const subtrees: [prefix: string, methods: Map<string, Route>][] = [];
  for (const route of routes) {
    if (route.path.endsWith('/*')) {
      subtrees.push([route.path.slice(0, -1), new Map([[route.method, route]])]);
      continue;
    }
    const [before = '', after] = route.path.split(':id');
    const paths = after === undefined ? exact : familyOf(families, before).methodsAfter;
    const methods = entry(paths, after ?? route.path);
    if (methods.has(route.method)) throw new Error(`two routes for ${route.method} ${route.path}`);
    methods.set(route.method, route);
  }
  for (const family of families) family.hasExact = [...exact.keys()].some((path) => path.startsWith(family.before));

  return (method, path) => {
    const family = familyAt(families, path);
    // Prefixes are compared before any look-up: each path is a new string, and hashing it takes longer than the rest.
    const methods = family === null || family.hasExact ? exact.get(path) : undefined;
    if (methods !== undefined) return choose(methods, method, '');
    const found = family === null ? null : findIn(family, method, path);
    return found ?? findBelow(subtrees, method, path);
  };
}

function familyOf(families: Family[], before: string): Family {
  const known = families.find((family) => family.before === before);
  if (known !== undefined) return known;
  const family = { before, methodsAfter: new Map(), hasExact: false };
  families.push(family);
  return family;
}

function familyAt(families: readonly Family[], path: string): Family | null {
  for (const family of families) if (path.startsWith(family.before)) return family;
  return null;
}

function findIn({ before, methodsAfter }: Family, method: string, path: string): Found {
  const start = before.length;
  const next = path.indexOf('/', start);
  const end = next === -1 ? path.length : next;
  const methods = start === end ? undefined : methodsAfter.get(path.slice(end));
  return methods === undefined ? null : choose(methods, method, decoded(path.slice(start, end)));
}

/** Subtrees are tried last: they contain other routes. */
function findBelow(subtrees: readonly [string, Methods][], method: string, path: string): Found {
  const [, methods] = subtrees.find(([prefix]) => path.startsWith(prefix)) ?? [];
  return methods === undefined ? null : choose(methods, method, '');
}

function choose(methods: Methods, method: string, id: string): Found {
  const route = methods.get(method) ?? (method === 'HEAD' ? methods.get('GET') : undefined);
  if (route !== undefined) return { route, id };
  const allowed = [...methods.keys()];
  return { allowed: (allowed.includes('GET') ? [...allowed, 'HEAD'] : allowed).sort() };
}

/** The map under that key, created if missing. */
function entry<Key, Inner>(maps: Map<string, Map<Key, Inner>>, key: string): Map<Key, Inner> {
  const known = maps.get(key) ?? new Map<Key, Inner>();
  maps.set(key, known);
  return known;
}

function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
