// Where signing in leads: only to a path of ours, never to another site.

export interface RedirectSearch {
  readonly redirect?: string;
}

export function redirectSearch(search: Record<string, unknown>): RedirectSearch {
  const { redirect } = search;
  return typeof redirect === 'string' && /^\/(?![/\\])/.test(redirect) ? { redirect } : {};
}
