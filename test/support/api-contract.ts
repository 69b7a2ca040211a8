// Holds answers against what was promised: the contract's error shape, and the OpenAPI document that the server itself
// hands out. Tests of anything whatever so test the document too.

import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

export interface HeldAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface ApiContract {
  readonly document: OpenApiDocument;
  /** Throws where an answer is not one that the document and the contract allow. */
  hold(method: string, path: string, answer: HeldAnswer): void;
}

export type Json = Readonly<Record<string, unknown>>;

export interface Operation {
  readonly operationId: string;
  readonly parameters: readonly Json[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, { schema: Json }>> };
  readonly responses: Readonly<Record<string, PromisedResponse>>;
}

export interface PromisedResponse {
  readonly description: string;
  readonly headers: Json;
  readonly content: {
    readonly 'application/json'?: { readonly schema: Json; readonly examples?: Readonly<Record<string, Json>> };
    /** What stays open. */
    readonly 'text/event-stream'?: { readonly schema: Json };
  };
}

export interface OpenApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
}

/** Type of error by status, as the contract has it. */
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

/** Where schemas of the document are found by a validator. */
const base = 'openapi.json';

export function contractOf(document: OpenApiDocument): ApiContract {
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true });
  ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  ajv.addFormat('uuid', true);
  ajv.addSchema({ ...document, $id: base });
  const validators = new Map<string, ValidateFunction>();

  function validatorAt(pointer: string): ValidateFunction {
    let validate = validators.get(pointer);
    if (validate === undefined) {
      validate = ajv.compile({ $ref: `${base}#${pointer}` });
      validators.set(pointer, validate);
    }
    return validate;
  }

  return {
    document,
    hold(method, path, answer) {
      const isError = answer.status >= 400;
      if (isError && method !== 'HEAD') holdErrorShape(answer);
      const found = findOperation(document, method, path);
      if (found === null) return;
      const { template, verb, operation } = found;
      const promised = operation.responses[String(answer.status)];
      assert.ok(promised, `${method} ${path} answered ${answer.status}, which /openapi.json does not list`);
      if (method === 'HEAD' || promised.content['application/json'] === undefined) return;
      const validate = validatorAt(
        ['', 'paths', template, verb, 'responses', String(answer.status), 'content', 'application/json', 'schema']
          .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
          .join('/'),
      );
      const body: unknown = JSON.parse(answer.text);
      assert.ok(validate(body), `${method} ${path}: ${ajv.errorsText(validate.errors)}\n${answer.text}`);
      if (!isError) return;
      const { code } = (body as { error: { code: string } }).error;
      const listed = Object.keys(promised.content['application/json']?.examples ?? {});
      assert.ok(listed.includes(code), `${method} ${path} answered ${code}, listed are ${listed.join(', ')}`);
    },
  };
}

function holdErrorShape({ status, headers, text }: HeldAnswer): void {
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

function findOperation(document: OpenApiDocument, method: string, path: string) {
  // As it is sent: without dot segments.
  const { pathname: bare } = new URL(path, 'http://localhost');
  if (!isDecodable(bare)) return null;
  const given = bare.split('/');
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
  // Concrete paths go before those with parameters, as the specification has it.
  const isConcrete = ([template]: [string, unknown]): number => (template.includes('{') ? 1 : 0);
  for (const [template, operations] of Object.entries(document.paths).sort((a, b) => isConcrete(a) - isConcrete(b))) {
    const wanted = template.split('/');
    const fits =
      wanted.length === given.length &&
      wanted.every((part, at) => (part.startsWith('{') ? given[at] !== '' : part === given[at]));
    const operation = fits ? operations[verb] : undefined;
    if (operation !== undefined) return { template, verb, operation };
  }
  return null;
}

/** A path with broken percent-encoding is none of the document's. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
