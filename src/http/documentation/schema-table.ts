// Renders the fields of a schema as a table, nested ones with their path.

import { escaped, inlineMarkdown } from './html-text.ts';
import { resolved, type Schema, type Schemas, typesOf } from './schema-examples.ts';

interface Field {
  readonly path: string;
  readonly schema: Schema;
  readonly required: boolean;
}

/** `isRequest`: marks required fields, which only matters for requests. */
export function schemaTable(schema: Schema, schemas: Schemas, label: string, isRequest: boolean): string {
  const rows = fieldsOf(schema, schemas, '').map(
    ({ path, schema: field, required }) =>
      `<tr><td><code>${escaped(path)}</code>${isRequest && required ? ' <span class="required">required</span>' : ''}</td>` +
      `<td>${typeText(field, schemas)}</td><td>${meaning(field)}</td></tr>`,
  );
  if (rows.length === 0) return '';
  return tableOf(['Field', 'Type', 'Meaning'], rows, label);
}

export function tableOf(headings: readonly string[], rows: readonly string[], label: string): string {
  const head = headings.map((heading) => `<th scope="col">${heading}</th>`).join('');
  return `<div class="wide" tabindex="0" role="group" aria-label="${escaped(label)}"><table><thead><tr>${head}</tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>`;
}

function fieldsOf(schemaOrRef: Schema, schemas: Schemas, prefix: string): Field[] {
  const schema = resolved(schemaOrRef, schemas);
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const own: Field = { path, schema: field, required: schema.required?.includes(name) === true };
    if (field.$ref !== undefined) return [own];
    if (field.items !== undefined && field.items.$ref === undefined)
      return [own, ...fieldsOf(field.items, schemas, `${path}[].`)];
    return [own, ...fieldsOf(field, schemas, `${path}.`)];
  });
}

export function typeText(schema: Schema, schemas: Schemas): string {
  if (schema.$ref !== undefined) return objectLink(schema.$ref);
  if (schema.oneOf !== undefined) return schema.oneOf.map((one) => typeText(one, schemas)).join(' or ');
  const types = typesOf(schema).map((type) => {
    if (type === 'array' && schema.items !== undefined) return `list of ${typeText(schema.items, schemas)}`;
    return schema.format === 'date-time' && type === 'string' ? 'time' : type;
  });
  return types.length === 0 ? 'constant' : types.join(' or ');
}

function objectLink(ref: string): string {
  const name = ref.split('/').at(-1) ?? '';
  return `<a href="#object-${name}">${name}</a>`;
}

function meaning(schema: Schema): string {
  const rules: string[] = [];
  if (schema.const !== undefined) rules.push(`Always <code>${escaped(JSON.stringify(schema.const))}</code>.`);
  const values = (schema.enum ?? schema.items?.enum)?.filter((value) => value !== null);
  if (values !== undefined)
    rules.push(`One of ${values.map((value) => `<code>${escaped(String(value))}</code>`).join(', ')}.`);
  if (schema.minimum !== undefined && schema.maximum !== undefined)
    rules.push(`From ${schema.minimum} to ${schema.maximum}.`);
  if (schema.maxLength !== undefined) rules.push(`At most ${schema.maxLength} characters.`);
  if (schema.maxItems !== undefined) rules.push(`At most ${schema.maxItems} entries.`);
  if (schema.default !== undefined) rules.push(`Default <code>${escaped(JSON.stringify(schema.default))}</code>.`);
  return [inlineMarkdown(schema.description ?? ''), ...rules].filter((part) => part !== '').join(' ');
}
