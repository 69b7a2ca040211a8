// Reads JSON of unknown shape. What is missing or of another type is null: the caller decides whether that makes sense.

export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectIn(json: Json, name: string): Json | null {
  const value = json[name];
  return isObject(value) ? value : null;
}

export function textIn(json: Json, name: string): string | null {
  const value = json[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

export function integerIn(json: Json, name: string): number | null {
  const value = json[name];
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}

/** The id of an object that Stripe sends as its id, or whole if it was expanded. */
export function idIn(json: Json, name: string): string | null {
  const value = json[name];
  return isObject(value) ? textIn(value, 'id') : textIn(json, name);
}
