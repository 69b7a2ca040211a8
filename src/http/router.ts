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
    const { id, pattern } = exact === undefined ? withId(path) : { id: '', pattern: path };
    const methods = exact ?? byPath.get(pattern);
    if (methods === undefined || (exact === undefined && id === '')) return null;
    const route = methods.get(method) ?? (method === 'HEAD' ? methods.get('GET') : undefined);
    if (route !== undefined) return { route, id: decoded(id) };
    const allowed = [...methods.keys()];
    return { allowed: (allowed.includes('GET') ? [...allowed, 'HEAD'] : allowed).sort() };
  };
}

/** `/payment-intents/pi_1/cancel` is `/payment-intents/:id/cancel`. */
function withId(path: string): { readonly id: string; readonly pattern: string } {
  const start = path.indexOf('/', 1) + 1;
  const next = path.indexOf('/', start);
  const end = next === -1 ? path.length : next;
  return { id: path.slice(start, end), pattern: `${path.slice(0, start)}:id${path.slice(end)}` };
}

function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
