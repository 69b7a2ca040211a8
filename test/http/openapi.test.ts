// The OpenAPI document: valid, complete, and accurate (the client of every other API test checks the responses that
// it gets against this document).

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { apiErrorCodes } from '../../src/domain/errors.ts';
import { type Fields, fieldsOf, isFields, textOf } from '../support/api-client.ts';
import type { Operation } from '../support/api-contract.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';

const always = [
  'api_key_missing',
  'api_key_invalid',
  'api_key_revoked',
  'api_key_expired',
  'rate_limited',
  'internal_error',
  'storage_unavailable',
];
const withBody = ['parameter_invalid', 'parameter_unknown', 'json_invalid', 'body_too_large', 'content_type_invalid'];
const withKey = ['idempotency_key_invalid', 'idempotency_key_reused'];

/** The responses of each operation, according to the contract. */
const operations: Readonly<Record<string, { success: string; errors: readonly string[] }>> = {
  'POST /checkout-sessions': {
    success: '201',
    errors: [
      ...withBody,
      ...withKey,
      'parameter_missing',
      'currency_not_supported',
      'currency_not_enabled',
      'payment_method_not_enabled',
      'live_mode_not_configured',
    ],
  },
  'GET /checkout-sessions': { success: '200', errors: ['parameter_invalid', 'parameter_unknown'] },
  'GET /checkout-sessions/{id}': { success: '200', errors: ['checkout_session_not_found'] },
  'PATCH /checkout-sessions/{id}': {
    success: '200',
    errors: [...withBody, 'parameter_missing', 'checkout_session_not_found', 'session_not_open', 'payment_in_progress'],
  },
  'POST /checkout-sessions/{id}/expire': {
    success: '200',
    errors: [...withBody, ...withKey, 'checkout_session_not_found', 'session_not_open', 'payment_in_progress'],
  },
  'GET /payment-intents': { success: '200', errors: ['parameter_invalid', 'parameter_unknown'] },
  'GET /payment-intents/{id}': { success: '200', errors: ['payment_intent_not_found'] },
  'POST /payment-intents/{id}/cancel': {
    success: '200',
    errors: [...withBody, ...withKey, 'payment_intent_not_found', 'payment_not_cancelable'],
  },
  'POST /webhook-endpoints': {
    success: '201',
    errors: [...withBody, ...withKey, 'parameter_missing', 'webhook_endpoint_limit_reached'],
  },
  'GET /webhook-endpoints': { success: '200', errors: ['parameter_invalid', 'parameter_unknown'] },
  'GET /webhook-endpoints/{id}': { success: '200', errors: ['webhook_endpoint_not_found'] },
  'PATCH /webhook-endpoints/{id}': { success: '200', errors: [...withBody, 'webhook_endpoint_not_found'] },
  'DELETE /webhook-endpoints/{id}': { success: '200', errors: ['webhook_endpoint_not_found'] },
  'POST /webhook-endpoints/{id}/rotate-secret': {
    success: '200',
    errors: [...withBody, ...withKey, 'webhook_endpoint_not_found'],
  },
  'POST /webhook-endpoints/{id}/test': {
    success: '201',
    errors: [...withBody, ...withKey, 'webhook_endpoint_not_found', 'webhook_endpoint_disabled'],
  },
  'POST /webhook-endpoints/{id}/resend-failed': {
    success: '200',
    errors: [...withBody, 'parameter_missing', 'webhook_endpoint_not_found', 'webhook_endpoint_disabled'],
  },
  'GET /events': { success: '200', errors: ['parameter_invalid', 'parameter_unknown'] },
  'GET /events/{id}': { success: '200', errors: ['event_not_found'] },
  'GET /events/{id}/deliveries': { success: '200', errors: ['parameter_invalid', 'event_not_found'] },
  'POST /events/{id}/resend': {
    success: '200',
    errors: [
      ...withBody,
      ...withKey,
      'event_not_found',
      'webhook_endpoint_not_found',
      'webhook_endpoint_disabled',
      'event_has_no_endpoint',
    ],
  },
  'GET /events/stream': { success: '200', errors: ['parameter_invalid', 'parameter_unknown'] },
  'GET /me': { success: '200', errors: [] },
};

function listedCodes({ responses }: Operation): string[] {
  return Object.values(responses).flatMap(({ content }) => Object.keys(content['application/json']?.examples ?? {}));
}

describeOnEachEngine('The OpenAPI document', (engine) => {
  const paydesk = paydeskForSuite(engine);
  const described = (): [string, Operation][] =>
    Object.entries(paydesk().contract.document.paths).flatMap(([path, verbs]) =>
      Object.entries(verbs).map(([verb, operation]): [string, Operation] => [
        `${verb.toUpperCase()} ${path}`,
        operation,
      ]),
    );

  it('has version 3.1 and describes every operation of the contract', () => {
    assert.match(paydesk().contract.document.openapi, /^3\.1\.\d$/);
    const names = described().map(([name]) => name);
    for (const name of Object.keys(operations)) assert.ok(names.includes(name), name);
  });

  it('lists every error that an operation can return, under its status, with a valid example', () => {
    const ajv = new Ajv2020({ strict: false });
    const { document } = paydesk().contract;
    const validate = ajv.compile({ ...document.components.schemas.Error });
    for (const [name, operation] of described()) {
      const expected = operations[name];
      if (expected === undefined) continue;
      assert.ok(operation.responses[expected.success], `${name} has ${expected.success}`);
      const listed = listedCodes(operation);
      for (const code of [...always, ...expected.errors]) assert.ok(listed.includes(code), `${name} lists ${code}`);
      for (const [status, { content, headers }] of Object.entries(operation.responses)) {
        for (const header of ['Request-Id', 'RateLimit', 'RateLimit-Policy']) assert.ok(header in headers, header);
        for (const [code, example] of Object.entries(content['application/json']?.examples ?? {})) {
          const { status: expectedStatus } = apiErrorCodes[code as keyof typeof apiErrorCodes];
          assert.equal(String(expectedStatus), status, `${name}: ${code}`);
          assert.ok(validate(example.value), `${code}: ${ajv.errorsText(validate.errors)}`);
        }
      }
    }
  });

  it('has valid references, schemas that compile, and unique operation ids', () => {
    const { document } = paydesk().contract;
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ ...document, $id: 'openapi.json' });
    const references: string[] = [];
    const walk = (value: unknown): void => {
      if (isFields(value) && typeof value.$ref === 'string') references.push(value.$ref);
      if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) walk(member);
    };
    walk(document);
    assert.ok(references.length > 50);
    for (const reference of new Set(references)) {
      const found = reference
        .replace(/^#\//, '')
        .split('/')
        .reduce<unknown>((at, part) => (isFields(at) ? at[part] : undefined), document);
      assert.ok(isFields(found), `${reference} does not resolve`);
      if (reference.includes('/schemas/')) assert.doesNotThrow(() => ajv.compile({ $ref: `openapi.json${reference}` }));
    }
    const ids = described().map(([, { operationId }]) => operationId);
    assert.equal(new Set(ids).size, ids.length);
  });

  it('describes every path parameter, and has examples that its own schemas accept', () => {
    const { document } = paydesk().contract;
    for (const [name, operation] of described()) {
      const inPath = [...name.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
      const declared = operation.parameters.filter((parameter) => parameter.in === 'path');
      assert.deepEqual(
        declared.map((parameter) => parameter.name),
        inPath,
        name,
      );
      assert.ok(declared.every((parameter) => parameter.required === true));
    }
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const walk = (schema: unknown): void => {
      if (isFields(schema) && Array.isArray(schema.examples) && 'type' in schema) {
        const validate = ajv.compile({ ...schema });
        for (const example of schema.examples) {
          assert.ok(validate(example), `${JSON.stringify(example)}: ${ajv.errorsText(validate.errors)}`);
        }
      }
      if (typeof schema === 'object' && schema !== null) for (const member of Object.values(schema)) walk(member);
    };
    walk(document);
  });

  it('has everything that the OpenAPI specification requires', () => {
    const document: Fields = fieldsOf(paydesk().contract.document);
    const { info, servers, components, security } = document;
    assert.equal(textOf(fieldsOf(info).title), 'Paydesk API');
    assert.match(textOf(fieldsOf(info).version), /^\d+\.\d+\.\d+/);
    assert.deepEqual(servers, [{ url: 'https://pay.test.example' }]);
    const schemes = Object.keys(fieldsOf(fieldsOf(components).securitySchemes));
    assert.deepEqual(
      security,
      schemes.map((name) => ({ [name]: [] })),
    );
    for (const [name, operation] of described()) {
      for (const [status, response] of Object.entries(operation.responses)) {
        assert.match(status, /^[2-5]\d\d$/);
        assert.ok(response.description.length > 0, `${name} ${status}`);
      }
      for (const parameter of operation.parameters) {
        assert.ok(['path', 'query', 'header'].includes(textOf(parameter.in)), name);
        assert.ok(isFields(parameter.schema), name);
      }
      const hasBody = !/^(?:GET|DELETE) /.test(name);
      assert.equal(operation.requestBody !== undefined, hasBody, name);
    }
  });
});
