// Reads form-encoded parameters as Stripe does, and refuses those that an endpoint does not know.

import { invalidRequest } from './stripe-error.ts';

export type FormValue = string | readonly FormValue[] | { readonly [name: string]: FormValue };
export type Form = Readonly<Record<string, FormValue>>;

/** What an endpoint accepts: text, an integer, a list of texts, or texts under names of the caller's choice. */
export type Shape = Readonly<Record<string, 'text' | 'integer' | 'list' | 'names' | 'boolean'>>;

/** `a=1&b[c]=2&d[]=3&e[0]=4`: nothing that we use is nested deeper. */
export function readForm(encoded: string, shape: Shape): Form {
  const form: Record<string, FormValue> = {};
  for (const [name, value] of new URLSearchParams(encoded)) {
    const [, top = '', inner] = /^([^[\]]+)(?:\[([^[\]]*)\])?$/.exec(name) ?? [];
    const kind = Object.hasOwn(shape, top) ? shape[top] : undefined;
    if (kind === undefined)
      throw invalidRequest(`Received unknown parameter: ${name}`, { code: 'parameter_unknown', param: name });
    if (kind === 'list' && inner !== undefined) form[top] = [...((form[top] ?? []) as FormValue[]), value];
    else if (kind === 'names' && inner !== undefined && inner !== '')
      form[top] = { ...((form[top] ?? {}) as Form), [inner]: value };
    else if ((kind === 'text' || kind === 'integer' || kind === 'boolean') && inner === undefined)
      form[top] = checked(top, value, kind);
    else throw invalidRequest(`Invalid ${top}`, { param: top });
  }
  return form;
}

function checked(name: string, value: string, kind: 'text' | 'integer' | 'boolean'): string {
  if (value === '' && kind !== 'text')
    throw invalidRequest(`Invalid ${name}: must not be empty`, { code: 'parameter_invalid_empty', param: name });
  if (kind === 'integer' && !/^-?\d+$/.test(value))
    throw invalidRequest(`Invalid integer: ${value}`, { code: 'parameter_invalid_integer', param: name });
  if (kind === 'boolean' && value !== 'true' && value !== 'false')
    throw invalidRequest(`Invalid boolean: ${value}`, { param: name });
  return value;
}

export function text(form: Form, name: string): string | undefined {
  const value = form[name];
  return typeof value === 'string' ? value : undefined;
}

export function integer(form: Form, name: string): number | undefined {
  const value = text(form, name);
  return value === undefined ? undefined : Number(value);
}

export function required<T>(value: T | undefined, name: string): T {
  if (value === undefined)
    throw invalidRequest(`Missing required param: ${name}.`, { code: 'parameter_missing', param: name });
  return value;
}

export function list(form: Form, name: string): readonly string[] {
  const value = form[name];
  return Array.isArray(value) ? (value as string[]) : [];
}

export function names(form: Form, name: string): Readonly<Record<string, string>> {
  const value = form[name];
  return typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, string>) : {};
}
