// Finds the route of a request.

import type { Route } from './route.ts';

export type Found =
  | { readonly route: Route; readonly id: string }
  /** The path exists, the method does not. */
  | { readonly allowed: readonly string[] }
  | null;

export function router(routes: readonly Route[]): (method: string, path: string) => Found {
  const byPath = new Map<string, Map<string, Route>>();
  for (const route of routes) {
    const methods = byPath.get(route.path) ?? new Map<string, Route>();
    if (methods.has(route.method)) throw new Error(`two routes for ${route.method} ${route.path}`);
    byPath.set(route.path, methods.set(route.method, route));
  }

  return (method, path) => {
    const exact = byPath.get(path);
    const [, first = '', id = '', ...rest] = exact === undefined ? path.split('/') : [];
    const methods = exact ?? byPath.get(['', first, ':id', ...rest].join('/'));
    if (methods === undefined || (exact === undefined && id === '')) return null;
    const route = methods.get(method) ?? (method === 'HEAD' ? methods.get('GET') : undefined);
    if (route !== undefined) return { route, id: decoded(id) };
    const allowed = [...methods.keys()];
    return { allowed: (allowed.includes('GET') ? [...allowed, 'HEAD'] : allowed).sort() };
  };
}

function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
