// The OpenAPI 3.1 document, made from the same routes and schemas that serve and validate requests.

import { type ApiErrorCode, apiErrorCodes } from '../domain/errors.ts';
import type { DescribedRoute } from './api/route.ts';
import { exampleId } from './api/schemas.ts';
import { errorExamples } from './error-examples.ts';
import type { TSchema } from './schema.ts';

type Json = Record<string, unknown>;

const everyRoute: readonly ApiErrorCode[] = [
  // In the query string, where most routes accept nothing.
  'parameter_unknown',
  'rate_limited',
  'internal_error',
  'storage_unavailable',
];
const withApiKey: readonly ApiErrorCode[] = [
  'api_key_missing',
  'api_key_invalid',
  'api_key_revoked',
  'api_key_expired',
];
const withBody: readonly ApiErrorCode[] = [
  'parameter_missing',
  'parameter_invalid',
  'parameter_unknown',
  'json_invalid',
  'body_too_large',
  'content_type_invalid',
];
const withQuery: readonly ApiErrorCode[] = ['parameter_invalid', 'parameter_unknown'];
const withKey: readonly ApiErrorCode[] = ['idempotency_key_invalid', 'idempotency_key_reused'];

export function openApiDocument(
  routes: readonly DescribedRoute[],
  about: { readonly publicUrl: string; readonly version: string },
): Json {
  const schemas = new Map<string, unknown>([['Error', errorSchema]]);
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replace(':id', '{id}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Paydesk API',
      version: about.version,
      description: overview,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: about.publicUrl }],
    security: [{ bearer: [] }, { basic: [] }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: Object.fromEntries(schemas),
      headers,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: '`Authorization: Bearer sk_test_…`' },
        client_secret: {
          type: 'http',
          scheme: 'bearer',
          description: 'The `client_secret` of one checkout session: `Authorization: Bearer pi_…_secret_…`',
        },
        basic: { type: 'http', scheme: 'basic', description: 'The API key as the user name, with an empty password.' },
      },
    },
  };
}

function operation(route: DescribedRoute, schemas: Map<string, unknown>): Json {
  const responses: Record<string, Json> = {
    [route.success.status]: {
      description: route.success.description,
      headers: route.idempotent
        ? { ...commonHeaders, 'Idempotent-Replayed': ref('headers', 'Idempotent-Replayed') }
        : commonHeaders,
      content: { [route.success.mediaType ?? 'application/json']: { schema: named(route.success.body, schemas) } },
    },
  };
  for (const [status, codes] of byStatus(errorsOf(route))) responses[status] = errorResponse(status, codes);
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: route.description,
    ...(route.auth === undefined ? {} : { security: [{ [route.auth]: [] }] }),
    parameters: parameters(route),
    ...(route.body === undefined ? {} : { requestBody: requestBody(route, schemas) }),
    responses,
  };
}

function errorsOf(route: DescribedRoute): ApiErrorCode[] {
  const codes = [
    ...(route.auth === 'client_secret' ? (['client_secret_invalid'] as const) : withApiKey),
    ...everyRoute,
    ...(route.body === undefined ? [] : withBody),
    ...(route.query === undefined ? [] : withQuery),
    ...(route.idempotent ? withKey : []),
    ...route.errors,
  ];
  return [...new Set(codes)];
}

function byStatus(codes: readonly ApiErrorCode[]): [number, ApiErrorCode[]][] {
  const grouped = Map.groupBy(codes, (code) => apiErrorCodes[code].status as number);
  return [...grouped].sort(([a], [b]) => a - b);
}

function errorResponse(status: number, codes: readonly ApiErrorCode[]): Json {
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    headers:
      status === 429 || status === 503
        ? { ...commonHeaders, 'Retry-After': ref('headers', 'Retry-After') }
        : commonHeaders,
    content: {
      'application/json': {
        schema: ref('schemas', 'Error'),
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])),
      },
    },
  };
}

function exampleOf(code: ApiErrorCode): Json {
  const { message, param } = errorExamples[code];
  const { type } = apiErrorCodes[code];
  const request_id = exampleId('req');
  return { error: { type, code, message, ...(param === undefined ? {} : { param }), request_id } };
}

function parameters(route: DescribedRoute): Json[] {
  const list: Json[] = [];
  if (route.id !== undefined) {
    const example = exampleId(route.id.prefix);
    list.push({ name: 'id', in: 'path', required: true, schema: { type: 'string' }, example });
  }
  const properties = ((route.query as Json | undefined)?.properties ?? {}) as Record<string, { description?: string }>;
  for (const [name, schema] of Object.entries(properties)) {
    list.push({ name, in: 'query', required: false, description: schema.description, schema });
  }
  for (const [name, schema] of Object.entries((route.headers ?? {}) as Record<string, { description?: string }>)) {
    list.push({ name, in: 'header', required: false, description: schema.description, schema });
  }
  if (route.idempotent) {
    list.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'A UUID. Repeating the request with the same key within 24 hours returns the first response and has no further effect.',
      schema: { type: 'string', format: 'uuid' },
      example: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
    });
  }
  return list;
}

function requestBody(route: DescribedRoute, schemas: Map<string, unknown>): Json {
  const schema = named(route.body as TSchema, schemas);
  const required = ((route.body as Json).required ?? []) as string[];
  const content: Json = { 'application/json': { schema } };
  if (route.method === 'PATCH') content['application/merge-patch+json'] = { schema };
  return { required: required.length > 0, content };
}

/** Schemas with an `$id` are defined once, under components. */
function named(schema: unknown, schemas: Map<string, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((member) => named(member, schemas));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $id, ...rest } = schema as Json;
  const inner = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, named(value, schemas)]));
  if (typeof $id !== 'string') return inner;
  schemas.set($id, inner);
  return ref('schemas', $id);
}

const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });

const headers: Record<string, Json> = {
  'Request-Id': { description: 'The id of this request, also written to the logs.', schema: { type: 'string' } },
  RateLimit: {
    description: 'The number of requests left, and the seconds until the full quota is available again.',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'The number of requests per second that the key may make.',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds to wait before retrying.', schema: { type: 'integer' } },
  'Idempotent-Replayed': {
    description: '`true` if this response is the repeated response to an earlier request.',
    schema: { type: 'string' },
  },
};

const commonHeaders: Json = Object.fromEntries(
  ['Request-Id', 'RateLimit', 'RateLimit-Policy'].map((name) => [name, ref('headers', name)]),
);

const errorSchema: Json = {
  title: 'Error',
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['type', 'code', 'message', 'request_id'],
      properties: {
        type: { type: 'string', enum: [...new Set(Object.values(apiErrorCodes).map(({ type }) => type))] },
        code: { type: 'string', enum: Object.keys(apiErrorCodes) },
        message: {
          type: 'string',
          description: 'What is wrong, and what to do about it.',
          examples: [errorExamples.parameter_invalid.message],
        },
        param: { type: 'string', description: 'The parameter that the error is about.', examples: ['amount'] },
        request_id: {
          type: 'string',
          description: 'The id of the request, also written to the logs.',
          examples: [exampleId('req')],
        },
      },
    },
  },
};

const overview = `
Take payments on a page that you host yourself. Create a checkout session on your server, send the customer to its
\`url\`, and learn the outcome from a signed webhook or by retrieving the payment intent.

- **Amounts** are integers in the smallest currency unit: 12.50 EUR is \`1250\`, 1000 JPY is \`1000\`.
- **Keys**: \`sk_live_…\` moves real money, \`sk_test_…\` does not. A key sees only its own mode.
- **Retries**: send an \`Idempotency-Key\` (a UUID) with every POST; the same key and request return the same response.
- **Lists** are newest first. Set the page size with \`limit\`, and pass \`next_cursor\` as \`cursor\` to get the next page.
- **Unknown fields** are rejected, so that a typo in a payment request is never ignored.
`.trim();
