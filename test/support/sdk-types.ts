// Generates the SDK's types and operations from the OpenAPI document that the service serves: one source for validation,
// documentation and types.

import { isDeepStrictEqual } from 'node:util';
import { mustNotBeUndefined } from '../../sdk/src/check-params.ts';
import type { Json, OpenApiDocument, Operation } from './api-contract.ts';
import { aliasText, arrayText, docComment, importText, literal, pascalCase, typeNamesIn } from './typescript-text.ts';

export const updateCommand = 'node test/support/write-sdk-types.ts';
export const generatedFolder: URL = new URL('../../sdk/src/api/', import.meta.url);

/** The file that declares a type: the first whose pattern matches its name. */
const files: readonly (readonly [file: string, pattern: RegExp, about: string])[] = [
  ['error-codes.ts', /^ErrorCode$/, 'The error codes of the API.'],
  ['params.ts', /Params$/, 'Parameters of the API: bodies and queries, by operation.'],
  [
    'events.ts',
    /Event$/,
    'Events, as sent to webhook endpoints and returned by the API: a type, and the data that belongs to it.',
  ],
  [
    'webhook-endpoints.ts',
    /^(?:WebhookEndpoint|DeletedWebhookEndpoint|Deliver|SubscribableEventType|Resent)/,
    'Webhook endpoints, and the deliveries of events to them.',
  ],
  ['resources.ts', /./, 'Resources of the API.'],
];

type Properties = Readonly<Record<string, Json>>;

/** The text of each generated file, by its name. */
export function sdkTypes(document: OpenApiDocument): Map<string, string> {
  const declared = declarations(document);
  const operations = Object.entries(document.paths)
    .flatMap(([path, verbs]) => Object.entries(verbs).map(([verb, operation]) => ({ path, verb, operation })))
    // Operations that respond with a stream are for the command line.
    // Those that take no API key are for customers' browsers.
    .filter(({ operation }) => schemaOfSuccess(operation) !== undefined && operation.security === undefined)
    .map(({ path, verb, operation }) => ({ path, verb, id: operation.operationId, ...typesOf(operation, declared) }));
  declared.add('ErrorCode', aliasText('ErrorCode', errorCodesOf(document)));

  const fileOf = (name: string): string => files.find(([, pattern]) => pattern.test(name))?.[0] ?? '';
  const withHead = (file: string, about: string, body: string): string => {
    const named = [...new Set(typeNamesIn(body))].filter((name) => declared.texts.has(name) && fileOf(name) !== file);
    const sources = [...Map.groupBy(named, fileOf)].sort(([a], [b]) => a.localeCompare(b, 'en'));
    const imports = sources.map(([source, names]) => importText(names, `./${source}`)).join('');
    const head = `// ${about}\n// Generated from the OpenAPI document by \`${updateCommand}\`.\n\n`;
    return `${head}${imports}${imports === '' ? '' : '\n'}${body}`;
  };

  const texts = files.map(([file, , about]): [string, string] => {
    const inFile = [...declared.texts].filter(([name]) => fileOf(name) === file);
    return [file, withHead(file, about, inFile.map(([, text]) => text).join('\n'))];
  });
  const table = [
    'export const operations = {',
    ...operations.map(({ id, verb, path }) => `  ${id}: { method: '${verb.toUpperCase()}', path: '${path}' },`),
    '} as const;',
    '',
    'export interface Operations {',
    ...operations.map(({ id, params, response }) => `  ${id}: { params: ${params}; response: ${response} };`),
    '}',
    '',
  ].join('\n');
  const about = 'Every operation of the API: where it is, what it accepts, what it returns.';
  return new Map([...texts, ['operations.ts', withHead('operations.ts', about, table)]]);
}

interface Declarations {
  readonly texts: ReadonlyMap<string, string>;
  add(name: string, text: string): void;
  typeOf(schema: Json): string;
  /** Declares a type under this name. */
  named(name: string, schema: Json): string;
}

function declarations({ components: { schemas } }: OpenApiDocument): Declarations {
  const texts = new Map<string, string>();

  function add(name: string, text: string): void {
    const before = texts.get(name);
    if (before !== undefined && before !== text) throw new Error(`two schemas are called ${name}:\n${before}\n${text}`);
    texts.set(name, text);
  }

  function typeOf(schema: Json): string {
    if (typeof schema.$ref === 'string') {
      const name = schema.$ref.replace('#/components/schemas/', '');
      const target = schemas[name];
      if (target === undefined) throw new Error(`${schema.$ref} leads nowhere`);
      return named(name, target);
    }
    const item = itemOfPage(schema);
    if (item !== undefined) {
      const data = { verbatim: 'readonly Item[]' };
      add('Page', interfaceText('Page<Item>', { ...schema, properties: { ...propertiesOf(schema), data } }));
      return `Page<${typeOf(item)}>`;
    }
    const bare = typeof schema.title === 'string' ? named(pascalCase(schema.title), schema) : inline(schema);
    const isNullable = [schema.type].flat().includes('null');
    return isNullable && !bare.endsWith('| null') ? `${bare} | null` : bare;
  }

  function named(name: string, schema: Json): string {
    if (Array.isArray(schema.oneOf)) add(name, aliasText(name, schema.oneOf.map(typeOf)));
    else if (schema.properties === undefined) add(name, aliasText(name, inline(schema).split(' | ')));
    else add(name, interfaceText(name, schema));
    return name;
  }

  /** Extends another component where it has all of its fields. */
  function interfaceText(name: string, schema: Json): string {
    const properties = propertiesOf(schema);
    const [parent] = Object.entries(schemas).find(([other, it]) => other !== name && hasAll(properties, it)) ?? [];
    const inherited = parent === undefined ? {} : propertiesOf(schemas[parent] ?? {});
    if (parent !== undefined) named(parent, schemas[parent] ?? {});
    const own = Object.fromEntries(Object.entries(properties).filter(([field]) => !(field in inherited)));
    const fields = fieldsOf({ ...schema, properties: own }, '  ');
    return `export interface ${name}${parent === undefined ? '' : ` extends ${parent}`} {\n${fields}}\n`;
  }

  function inline(schema: Json): string {
    if (typeof schema.verbatim === 'string') return schema.verbatim;
    if ('const' in schema) return literal(schema.const);
    if (Array.isArray(schema.enum)) return schema.enum.map(literal).join(' | ');
    const kind = [schema.type].flat().find((type) => type !== 'null');
    if (kind === 'integer' || kind === 'number') return 'number';
    if (kind === 'string' || kind === 'boolean') return kind;
    if (kind === 'array') return arrayText(typeOf(schema.items as Json));
    if (schema.properties !== undefined) return `{\n${fieldsOf(schema, '    ')}  }`;
    if (schema.additionalProperties !== undefined)
      return `Readonly<Record<string, ${typeOf(schema.additionalProperties as Json)}>>`;
    throw new Error(`no type for ${JSON.stringify(schema)}`);
  }

  function fieldsOf(schema: Json, indent: string): string {
    const required = (schema.required ?? []) as readonly string[];
    const field = ([name, property]: [string, Json]): string => {
      const comment = docComment(String(property.description ?? ''), indent);
      const type = typeOf(property);
      // Undefined also where `exactOptionalPropertyTypes` is on: it is left out of what is sent, unless that is refused.
      const orUndefined = name in mustNotBeUndefined ? '' : ' | undefined';
      const optional = required.includes(name) ? `: ${type}` : `?: ${type}${orUndefined}`;
      return `${comment}${indent}readonly ${name}${optional};\n`;
    };
    return Object.entries(propertiesOf(schema)).map(field).join('');
  }

  return { texts, add, typeOf, named };
}

function typesOf(operation: Operation, declared: Declarations): { params: string; response: string } {
  const body = operation.requestBody?.content['application/json']?.schema;
  const query = operation.parameters.filter((parameter) => parameter.in === 'query');
  if (body !== undefined && query.length > 0) throw new Error(`${operation.operationId} has a query and a body`);
  const params: Json = body ?? { properties: Object.fromEntries(query.map(({ name, schema }) => [name, schema])) };
  const isEmpty = Object.keys(propertiesOf(params)).length === 0;
  const success = schemaOfSuccess(operation);
  if (success === undefined) throw new Error(`${operation.operationId} never succeeds`);
  return {
    params: isEmpty ? 'undefined' : declared.named(`${pascalCase(operation.operationId)}Params`, params),
    response: declared.typeOf(success),
  };
}

function schemaOfSuccess({ responses }: Operation): Json | undefined {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  return success?.content['application/json']?.schema;
}

const propertiesOf = (schema: Json): Properties => (schema.properties ?? {}) as Properties;

function hasAll(properties: Properties, other: Json): boolean {
  const theirs = Object.entries(propertiesOf(other));
  return theirs.length > 0 && theirs.every(([name, schema]) => isDeepStrictEqual(properties[name], schema));
}

function itemOfPage(schema: Json): Json | undefined {
  const { data, has_more, next_cursor } = propertiesOf(schema);
  return data !== undefined && has_more !== undefined && next_cursor !== undefined ? (data.items as Json) : undefined;
}

function errorCodesOf({ components }: OpenApiDocument): string[] {
  const { error } = propertiesOf(components.schemas.Error ?? {});
  const { code } = propertiesOf(error ?? {});
  return ((code?.enum ?? []) as readonly string[]).map(literal);
}
