// Finds the route of a request.

import type { Route } from './route.ts';

export type Found =
  | { readonly route: Route; readonly id: string }
  /** The path exists, the method does not. */
  | { readonly allowed: readonly string[] }
  | null;

type Methods = ReadonlyMap<string, Route>;

export function router(routes: readonly Route[]): (method: string, path: string) => Found {
  const exact = new Map<string, Map<string, Route>>();
  /** By what stands before the id and then by what follows it, so that no path is put together to be looked up. */
  const withId = new Map<string, Map<string, Map<string, Route>>>();
  for (const route of routes) {
    const [before = '', after] = route.path.split(':id');
    const paths = after === undefined ? exact : entry(withId, before);
    const methods = entry(paths, after ?? route.path);
    if (methods.has(route.method)) throw new Error(`two routes for ${route.method} ${route.path}`);
    methods.set(route.method, route);
  }

  return (method, path) => {
    const methods = exact.get(path);
    if (methods !== undefined) return choose(methods, method, '');
    // `/payment-intents/pi_1/cancel` is `/payment-intents/:id/cancel`.
    const start = path.indexOf('/', 1) + 1;
    const next = path.indexOf('/', start);
    const end = next === -1 ? path.length : next;
    const found = start === end ? undefined : withId.get(path.slice(0, start))?.get(path.slice(end));
    return found === undefined ? null : choose(found, method, decoded(path.slice(start, end)));
  };
}

function choose(methods: Methods, method: string, id: string): Found {
  const route = methods.get(method) ?? (method === 'HEAD' ? methods.get('GET') : undefined);
  if (route !== undefined) return { route, id };
  const allowed = [...methods.keys()];
  return { allowed: (allowed.includes('GET') ? [...allowed, 'HEAD'] : allowed).sort() };
}

/** The map under that key, made where there is none. */
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
