// Stripe's form encoding: `expand[0]=latest_charge`, `metadata[paydesk_operation]=op_…`.

type FormValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly FormValue[]
  | { readonly [name: string]: FormValue };
export type FormFields = object;

/** Fields that are undefined are left out. */
export function encodeForm(fields: FormFields): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) append(form, name, value as FormValue);
  return form.toString();
}

function append(form: URLSearchParams, name: string, value: FormValue): void {
  if (value === undefined) return;
  if (typeof value === 'object' && value !== null) {
    for (const [inner, item] of Object.entries(value)) append(form, `${name}[${inner}]`, item as FormValue);
  } else form.append(name, value === null ? '' : String(value));
}
