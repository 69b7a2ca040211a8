// Renders the API reference from the OpenAPI document: every operation with its parameters, examples, errors and a form
// to try it. Our own instead of a renderer from npm: those with a form weigh over a megabyte, and none passed axe.

import { framed, type Heading, referencePath } from './frame.ts';
import { codeBlock } from './highlight.ts';
import { escaped, inlineMarkdown } from './html-text.ts';
import { requestExample, responseExample, type Schema, type Schemas } from './schema-examples.ts';
import { schemaTable, tableOf, typeText } from './schema-table.ts';
import { tryForm } from './try-form.ts';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: string;
}

interface Content {
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, { readonly value: { readonly error: { readonly message: string } } }>>;
}

interface OpenApiOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  /** Present if it takes no API key. */
  readonly security?: unknown;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content: Readonly<Record<string, Content>> }>
  >;
}

export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: { readonly schemas: Schemas };
}

export interface Operation extends OpenApiOperation {
  readonly method: string;
  readonly path: string;
  /** The example body, also the initial value of the form; null: the operation has no body. */
  readonly bodyExample: unknown;
  readonly streams: boolean;
}

export function operationsOf({ paths, components }: OpenApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const schema = operation.requestBody?.content['application/json']?.schema;
      return {
        ...operation,
        method: method.toUpperCase(),
        path,
        bodyExample: schema === undefined ? null : requestExample(schema, components.schemas),
        streams: Object.values(operation.responses).some(({ content }) => 'text/event-stream' in content),
      };
    }),
  );
}

export function renderReference(document: OpenApiDocument): string {
  const { info, components } = document;
  const operations = operationsOf(document);
  const groups = document.tags.map(({ name }) => ({
    name,
    id: idOf(name),
    operations: operations.filter(({ tags }) => tags.includes(name)),
  }));
  const objects = Object.entries(components.schemas);
  const headings: Heading[] = [
    ...groups.flatMap((group) => [
      { id: group.id, title: group.name, depth: 2 },
      ...group.operations.map(({ operationId: id, summary: title }) => ({ id, title, depth: 3 })),
    ]),
    { id: 'objects', title: 'Objects', depth: 2 },
    ...objects.map(([name]) => ({ id: `object-${name}`, title: name, depth: 3 })),
  ];
  const content = `<h1 id="api-reference">API reference</h1>
${introduction(info.description)}
<p>As a document for your tools: <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1).</p>
${keyForm}
${groups.map((group) => `${heading(2, group.id, group.name)}\n${group.operations.map((one) => section(one, document)).join('\n')}`).join('\n')}
${heading(2, 'objects', 'Objects')}
${objects.map(([name, schema]) => objectSection(name, schema, components.schemas)).join('\n')}`;
  return framed({ title: 'API reference', path: referencePath, content, headings });
}

/** Hidden unless JavaScript is enabled. */
const keyForm = `<form class="key" data-key hidden>
<label for="api-key">Your test key</label>
<input id="api-key" type="password" autocomplete="off" spellcheck="false" placeholder="sk_test_…" aria-describedby="api-key-note">
<p id="api-key-note">To try requests out on this page. Kept in this tab until it is closed, and sent only to this Paydesk.</p>
</form>`;

function introduction(markdown: string): string {
  const [prose = '', ...points] = markdown.split(/\n- /);
  const paragraph = `<p>${inlineMarkdown(prose.replace(/\s+/g, ' ').trim())}</p>`;
  return `${paragraph}\n<ul>${points.map((point) => `<li>${inlineMarkdown(point.replace(/\s+/g, ' '))}</li>`).join('')}</ul>`;
}

function section(operation: Operation, { servers, components }: OpenApiDocument): string {
  const { method, path, operationId, summary, description, parameters, requestBody, responses } = operation;
  const { schemas } = components;
  const body = requestBody?.content['application/json']?.schema;
  return `<section class="operation" aria-labelledby="${operationId}">
${heading(3, operationId, summary)}
<p class="route"><span class="method ${method.toLowerCase()}">${method}</span> <code>${escaped(path)}</code></p>
<p>${inlineMarkdown(description)}</p>
${parameterTable(parameters, schemas, summary)}
${body === undefined ? '' : fieldTable('Body', schemaTable(body, schemas, `Body: ${summary}`, true))}
<h4>Request</h4>
${codeBlock(curlFor(operation, servers[0]?.url ?? ''), 'sh')}
${Object.entries(responses)
  .filter(([status]) => Number(status) < 300)
  .map(([status, { description: about, content }]) => response(status, about, content, schemas))
  .join('\n')}
${errorTable(responses, summary)}
${operation.streams || operation.security !== undefined ? '' : tryForm(operation)}
</section>`;
}

function fieldTable(title: string, table: string): string {
  return table === '' ? '' : `<h4>${title}</h4>\n${table}`;
}

function parameterTable(parameters: readonly Parameter[], schemas: Schemas, summary: string): string {
  const rows = parameters.map(
    ({ name, in: where, required, description = '', schema }) =>
      `<tr><td><code>${escaped(name)}</code>${required ? ' <span class="required">required</span>' : ''}</td>` +
      `<td>${where}</td><td>${typeText(schema, schemas)}</td><td>${inlineMarkdown(description)}</td></tr>`,
  );
  if (rows.length === 0) return '';
  return fieldTable('Parameters', tableOf(['Name', 'In', 'Type', 'Meaning'], rows, `Parameters: ${summary}`));
}

function response(status: string, about: string, content: Readonly<Record<string, Content>>, schemas: Schemas): string {
  return Object.entries(content)
    .map(([type, { schema }]) => {
      const example = responseExample(schema, schemas);
      const text = typeof example === 'string' ? example.trimEnd() : JSON.stringify(example, null, 2);
      return `<h4>Response <code>${status}</code></h4>\n<p>${inlineMarkdown(about)} ${typeText(schema, schemas)}</p>\n${codeBlock(text, type === 'application/json' ? 'json' : 'text')}`;
    })
    .join('\n');
}

function errorTable(responses: Operation['responses'], summary: string): string {
  const rows = Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, { content }]) =>
      Object.entries(content['application/json']?.examples ?? {}).map(
        ([code, { value }]) =>
          `<tr><td>${status}</td><td><code>${code}</code></td><td>${inlineMarkdown(value.error.message)}</td></tr>`,
      ),
    );
  const table = tableOf(['Status', 'Code', 'For example'], rows, `Errors: ${summary}`);
  return `<details class="errors"><summary>Errors<span class="unseen">: ${escaped(summary)}</span></summary>${table}</details>`;
}

function objectSection(name: string, schema: Schema, schemas: Schemas): string {
  const variants = schema.oneOf ?? [schema];
  const tables = variants.map((one) => {
    const label = `${name}${one.title === undefined ? '' : `: ${one.title}`}`;
    const title = variants.length > 1 ? `<h4>${escaped(one.title ?? '')}</h4>\n` : '';
    return `${title}${schemaTable(one, schemas, label, false)}`;
  });
  return `${heading(3, `object-${name}`, name)}\n${tables.join('\n')}`;
}

/** URLs are quoted, so that a shell does not interpret `?` as a pattern. */
function curlFor({ method, path, parameters, bodyExample, security }: Operation, server: string): string {
  const id = parameters.find(({ in: where }) => where === 'path')?.example ?? '';
  const lines = [`curl '${server}${path.replace('{id}', id)}'`];
  if (method !== 'GET' && !(method === 'POST' && bodyExample !== null))
    lines[0] = `curl -X ${method} '${server}${path.replace('{id}', id)}'`;
  lines.push(`-H 'Authorization: Bearer ${security === undefined ? 'sk_test_…' : 'pi_…_secret_…'}'`);
  if (parameters.some(({ name }) => name === 'Idempotency-Key')) lines.push(`-H "Idempotency-Key: $(uuidgen)"`);
  if (bodyExample !== null) {
    lines.push(
      `-H 'Content-Type: application/json'`,
      `-d '${JSON.stringify(bodyExample, null, 2).replaceAll("'", "'\\''")}'`,
    );
  }
  return lines.join(' \\\n  ');
}

function heading(depth: 2 | 3, id: string, title: string): string {
  return `<h${depth} id="${id}">${escaped(title)} <a class="anchor" href="#${id}" aria-label="Link to this section: ${escaped(title)}">#</a></h${depth}>`;
}

function idOf(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-');
}
