// Checks responses against the contract's error shape and the OpenAPI document that the server itself serves. Every test
// that makes a request therefore tests the document too.

import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

export interface CheckedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface ApiContract {
  readonly document: OpenApiDocument;
  /** Throws if the document or the contract does not allow this response. */
  check(method: string, path: string, response: CheckedResponse): void;
}

export type Json = Readonly<Record<string, unknown>>;

export interface Operation {
  readonly operationId: string;
  /** Present if it is called without an API key. */
  readonly security?: readonly Json[];
  readonly parameters: readonly Json[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, { schema: Json }>> };
  readonly responses: Readonly<Record<string, ListedResponse>>;
}

export interface ListedResponse {
  readonly description: string;
  readonly headers: Json;
  readonly content: {
    readonly 'application/json'?: { readonly schema: Json; readonly examples?: Readonly<Record<string, Json>> };
    readonly 'text/event-stream'?: { readonly schema: Json };
  };
}

export interface OpenApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
}

/** The contract's error type for each status. */
const typeByStatus: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  404: 'invalid_request_error',
  405: 'invalid_request_error',
  409: 'invalid_request_error',
  413: 'invalid_request_error',
  415: 'invalid_request_error',
  422: 'idempotency_error',
  429: 'rate_limit_error',
  500: 'api_error',
  503: 'api_error',
};

const requestId = /^req_[0-9a-z]{20,}$/;

export async function loadContract(url: string): Promise<ApiContract> {
  const response = await fetch(`${url}/openapi.json`);
  assert.equal(response.status, 200);
  return contractOf((await response.json()) as OpenApiDocument);
}

/** Compiling schemas takes longer than most tests, so contracts with the same schemas share them. */
let latest: { readonly key: string; readonly validatorFor: (schema: Json) => ValidateFunction } | undefined;

export function contractOf(document: OpenApiDocument): ApiContract {
  const key = JSON.stringify(document.components.schemas);
  if (latest?.key !== key) latest = { key, validatorFor: validatorsWith(document.components.schemas) };
  const { validatorFor } = latest;
  return {
    document,
    check(method, path, response) {
      const isError = response.status >= 400;
      if (isError && method !== 'HEAD') checkErrorShape(response);
      const found = findOperation(document, method, path);
      if (found === null) return;
      const documented = found.responses[String(response.status)];
      assert.ok(documented, `${method} ${path} answered ${response.status}, which /openapi.json does not list`);
      const json = documented.content['application/json'];
      if (method === 'HEAD' || json === undefined) return;
      const validate = validatorFor(json.schema);
      const body: unknown = JSON.parse(response.text);
      const wrong = (): string => JSON.stringify(validate.errors);
      assert.ok(validate(body), `${method} ${path}: ${wrong()}\n${response.text}`);
      if (!isError) return;
      const { code } = (body as { error: { code: string } }).error;
      const listed = Object.keys(json.examples ?? {});
      assert.ok(listed.includes(code), `${method} ${path} answered ${code}, listed are ${listed.join(', ')}`);
    },
  };
}

/** Compiles each schema when it is first needed, and once. */
function validatorsWith(schemas: OpenApiDocument['components']['schemas']): (schema: Json) => ValidateFunction {
  // The references in the document are relative to its own address.
  const base = 'openapi.json';
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true, validateSchema: false });
  ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  ajv.addFormat('uuid', true);
  ajv.addSchema({ $id: base, components: { schemas } });
  const compiled = new Map<string, ValidateFunction>();
  return (schema) => {
    const text = JSON.stringify(schema).replaceAll('"#/components/', `"${base}#/components/`);
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text) as Json);
    compiled.set(text, validate);
    return validate;
  };
}

function checkErrorShape({ status, headers, text }: CheckedResponse): void {
  assert.match(headers.get('content-type') ?? '', /^application\/json/, text);
  const body = JSON.parse(text) as { error: Record<string, unknown> };
  assert.deepEqual(Object.keys(body), ['error'], text);
  const { type, code, message, param, request_id, ...others } = body.error;
  assert.deepEqual(others, {}, text);
  assert.equal(type, typeByStatus[status], text);
  assert.ok(typeof code === 'string' && /^[a-z_]+$/.test(code), text);
  assert.ok(typeof message === 'string' && message.length > 10, text);
  assert.ok(param === undefined || (typeof param === 'string' && param !== ''), text);
  assert.match(String(request_id), requestId, text);
  assert.equal(headers.get('request-id'), request_id, 'the header and the body name the same request');
  if (status === 401) assert.equal(headers.get('www-authenticate'), 'Bearer');
  if (status === 405) assert.match(headers.get('allow') ?? '', /^[A-Z]+(, [A-Z]+)*$/);
  if (status === 429 || status === 503) assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
}

function findOperation(document: OpenApiDocument, method: string, path: string): Operation | null {
  // Clients remove dot segments before sending.
  const { pathname: bare } = new URL(path, 'http://localhost');
  if (!isDecodable(bare)) return null;
  const given = bare.split('/');
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
  // The OpenAPI specification matches concrete paths before those with parameters.
  const rank = ([template]: [string, unknown]): number => (template.includes('{') ? 1 : 0);
  for (const [template, operations] of Object.entries(document.paths).sort((a, b) => rank(a) - rank(b))) {
    const segments = template.split('/');
    const matches =
      segments.length === given.length &&
      segments.every((part, at) => (part.startsWith('{') ? given[at] !== '' : part === given[at]));
    const operation = matches ? operations[verb] : undefined;
    if (operation !== undefined) return operation;
  }
  return null;
}

/** A path with invalid percent-encoding matches no operation. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
