// What a request sends: its JSON body and its query parameters, before they are checked against a schema.

import { isRefusal, type Refusal, refuse } from '../domain/errors.ts';
import { endOfTurn } from './end-of-turn.ts';
import { checkContentType, parseJson } from './json-body.ts';
import type { HttpRequest } from './route.ts';

/** The body of a request, once it has been read. */
export interface Sent {
  body?: Uint8Array;
}

export async function jsonBody(request: HttpRequest, sent: Sent = {}): Promise<{ readonly value: unknown } | Refusal> {
  const bytes = await request.body();
  if (isRefusal(bytes)) return bytes;
  sent.body = bytes;
  await endOfTurn();
  const wrongType = checkContentType(request.headers['content-type'], bytes);
  if (wrongType !== null) return wrongType;
  const parsed = parseJson(bytes);
  if (isRefusal(parsed)) return parsed;
  // If every field is optional, an absent body counts as an empty object; `null` is a mistake.
  const { value = {} } = parsed;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { value } : notAnObject;
}

const notAnObject = refuse('parameter_invalid', 'The body must be a JSON object, such as {"amount": 1250}.');

/** A parameter that is given twice becomes an array, which no schema accepts. */
export function queryOf(query: URLSearchParams): Record<string, string | string[]> {
  // Without a prototype, so that `__proto__` is a name like any other.
  const values: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of query) {
    const before = values[name];
    if (before === undefined) values[name] = value;
    else if (typeof before === 'string') values[name] = [before, value];
    else before.push(value);
  }
  return values;
}
