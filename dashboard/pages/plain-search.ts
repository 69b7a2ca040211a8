// Search parameters of simple lists: texts, of which empty ones are left out of the address.

export type PlainSearch = {
  readonly [name in 'status' | 'type' | 'q' | 'path' | 'key' | 'actor' | 'action' | 'id']?: string;
};

const names = ['status', 'type', 'q', 'path', 'key', 'actor', 'action', 'id'] as const;

export function plainSearch(search: Record<string, unknown>): PlainSearch {
  const given = names.flatMap((name) => {
    const value = search[name];
    return (typeof value === 'string' && value !== '') || typeof value === 'number' ? [[name, String(value)]] : [];
  });
  return Object.fromEntries(given);
}
