// No input causes a 500: requests generated from the served OpenAPI document, valid and invalid, get a response that
// the document promises. A failure prints its seed; repeat it with FUZZ_SEED=<seed>.

import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { it } from 'node:test';
import fc from 'fast-check';
import type { ApiResponse, Fields } from '../support/api-client.ts';
import { entriesOf, fieldsOf, isFields, must } from '../support/api-client.ts';
import type { Json, Operation } from '../support/api-contract.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { type Paydesk, paydeskForSuite, type TestMerchant } from '../support/paydesk.ts';

const requestsPerEngine = 900;

interface Target {
  readonly verb: string;
  readonly template: string;
  readonly operation: Operation;
}

interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly raw: string | undefined;
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 50 }),
  fc.string({ unit: 'grapheme', maxLength: 50 }),
  fc.constantFrom('', '\u0000', '\ud800', '\udfff', '💳', '{CHECKOUT_SESSION_ID}', '__proto__', 'constructor', 'null'),
  fc.constantFrom("'; DROP TABLE merchants; --", '<script>', '../../etc/passwd', '%00', '\r\n\r\n', 'x'.repeat(2_000)),
);

const anyNumber = fc.oneof(
  fc.constantFrom(0, -0, -1, 0.5, 1e21, -1e300, 2 ** 53, 2 ** 63, 1e308, 5e-324, 999_999_999_999, 1_000_000_000_000),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

const deep = (open: string, close: string) => (depth: number) =>
  JSON.parse(`${open.repeat(depth)}1${close.repeat(depth)}`) as unknown;

const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  anyText,
  anyNumber,
  fc.constantFrom(null, true, false, [], {}, [[]], [null], { refused: 'internal_error' }, { error: 'x' }),
  fc.integer({ min: 1, max: 3_000 }).map(deep('[', ']')),
  fc.integer({ min: 1, max: 3_000 }).map(deep('{"a":', '}')),
  fc.dictionary(anyText, anyText, { maxKeys: 60 }),
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>,
);

/** For fields whose schema allows more than the API does: values that mostly make a valid request. */
const likely: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  currency: fc.constantFrom('EUR', 'usd', 'JPY', 'KWD', 'PLN', 'XCG'),
  return_url: fc.webUrl(),
  cancel_url: fc.webUrl(),
  customer_email: fc.emailAddress(),
  locale: fc.constantFrom('auto', 'de', 'pt-BR'),
  quantity: fc.integer({ min: 1, max: 10 }),
  unit_amount: fc.integer({ min: 1, max: 10_000 }),
  payment_method_types: fc.constant(['card']),
  // Hosts that do not exist: fuzzed data must not reach anyone.
  url: fc.constantFrom('https://shop.example/webhooks', 'http://hooks.example:8080/?a=1'),
  since: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
};

/** A value that the schema allows. */
function valueFor(schema: Json, key = ''): fc.Arbitrary<unknown> {
  const known = likely[key];
  if (known !== undefined) return known;
  const type = Array.isArray(schema.type) ? String(schema.type[0]) : String(schema.type);
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  switch (type) {
    case 'integer':
      return fc.integer({
        min: Number(schema.minimum ?? 0),
        max: Math.min(Number(schema.maximum ?? 1e6), 2 ** 31 - 1),
      });
    case 'array':
      return fc.array(valueFor(fieldsOf(schema.items)), { minLength: Number(schema.minItems ?? 0), maxLength: 3 });
    case 'object':
      return isFields(schema.properties)
        ? objectOf(schema)
        : fc.dictionary(fc.string({ minLength: 1, maxLength: 40 }), fc.string({ maxLength: 50 }), { maxKeys: 5 });
    default:
      return fc.string({ unit: 'grapheme', minLength: Number(schema.minLength ?? 0), maxLength: 30 });
  }
}

function objectOf(schema: Json): fc.Arbitrary<Fields> {
  const properties = fieldsOf(schema.properties);
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [name, valueFor(fieldsOf(member), name)]),
  );
  const required = Array.isArray(schema.required) ? (schema.required as string[]) : [];
  const whole = fc.record(members, { requiredKeys: required }) as fc.Arbitrary<Fields>;
  // Line items set the amount: a random one would hardly ever match.
  return whole.map(({ amount, ...rest }) =>
    amount === undefined || 'line_items' in rest ? rest : { ...rest, amount },
  );
}

/** The fewest fields that the API accepts: with all of them, there is almost always one that it refuses. */
function shortestOf(schema: Json): Json {
  // An amount can be replaced by line items, so the schema does not require it.
  const required = [...(Array.isArray(schema.required) ? (schema.required as string[]) : []), 'amount'];
  const properties = Object.entries(fieldsOf(schema.properties)).filter(([name]) => required.includes(name));
  return { ...schema, properties: Object.fromEntries(properties), required: properties.map(([name]) => name) };
}

/** A valid body with up to two mutations, or a malformed one. */
function bodyOf(schema: Json): fc.Arbitrary<string> {
  const names = Object.keys(isFields(schema.properties) ? schema.properties : {});
  const name = fc.oneof(fc.constantFrom(...names, 'extra'), anyText);
  const mutation = fc.oneof(
    fc.tuple(name, anyJson).map(
      ([field, value]) =>
        (body: Fields): Fields => ({ ...body, [field]: value }),
    ),
    name.map((field) => (body: Fields): Fields => {
      const { [field]: _removed, ...rest } = body;
      return rest;
    }),
  );
  const mutated = fc
    .tuple(objectOf(schema), fc.array(mutation, { maxLength: 2 }))
    .map(([body, changes]) => JSON.stringify(changes.reduce((changed, change) => change(changed), body)));
  const prototypes = fc.constantFrom(
    '{"__proto__":{"amount":1},"currency":"EUR"}',
    '{"amount":1,"currency":"EUR","metadata":{"__proto__":"x","constructor":"y"}}',
    '{"amount":1,"currency":"EUR","amount":2}',
    '{"constructor":{"prototype":{"polluted":true}}}',
  );
  const truncated = fc
    .tuple(mutated, fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([text, part]) => text.slice(0, Math.floor(text.length * part)));
  const escaped = fc.constantFrom('\\u0000', '\\ud800', '\\udc00\\ud800').map((text) => `{"description":"${text}"}`);
  return fc.oneof(
    { weight: 6, arbitrary: mutated },
    { weight: 3, arbitrary: objectOf(shortestOf(schema)).map((body) => JSON.stringify(body)) },
    { weight: 1, arbitrary: truncated },
    { weight: 1, arbitrary: prototypes },
    { weight: 1, arbitrary: escaped },
    { weight: 1, arbitrary: anyJson.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: anyText },
  );
}

const urlEncoded = (text: string): string => encodeURIComponent(text.toWellFormed());

function requestTo({ verb, template, operation }: Target, known: readonly string[]): fc.Arbitrary<FuzzRequest> {
  const { example } = operation.parameters.find((parameter) => parameter.in === 'path') ?? {};
  const ofThisKind = known.filter((id) => id.split('_')[0] === String(example).split('_')[0]);
  const id = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...(ofThisKind.length > 0 ? ofThisKind : known)) },
    { weight: 1, arbitrary: fc.constantFrom(...known) },
    { weight: 1, arbitrary: anyText.map((text) => urlEncoded(text).slice(0, 3_000)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('%', '%zz', '%c3%28', ';', 'x'.repeat(2_000), '%2f', 'cs_', 'pi_', 'we_', 'evt_'),
    },
  );
  const query = operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => String(name));
  const pair = fc.tuple(
    fc.oneof(fc.constantFrom(...query, 'extra'), anyText),
    fc.oneof(
      fc.constantFrom('1', '100', '0', '1e3', 'open', 'expired', 'refund.failed', 'NaN', ''),
      fc.constantFrom(...known),
      anyText,
    ),
  );
  const queryText = fc.oneof(
    { weight: 2, arbitrary: fc.constant('') },
    {
      weight: query.length > 0 ? 4 : 1,
      arbitrary: fc
        .array(pair, { maxLength: 3 })
        .map((pairs) =>
          `?${pairs.map(([name, value]) => `${urlEncoded(name)}=${urlEncoded(value)}`).join('&')}`.slice(0, 3_000),
        ),
    },
  );
  const contentType = fc.oneof(
    { weight: 8, arbitrary: fc.constant('application/json') },
    { weight: 1, arbitrary: fc.constantFrom('application/merge-patch+json', 'application/json; charset=utf-8', '') },
    {
      weight: 1,
      arbitrary: fc.constantFrom('text/plain', 'multipart/form-data', ';', 'application/json,', '*/*', 'é'),
    },
  );
  const idempotencyKey = fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    { weight: 2, arbitrary: fc.uuid() },
    { weight: 1, arbitrary: fc.constantFrom('', 'x', '00000000-0000-0000-0000-000000000000', 'é') },
  );
  const schema = operation.requestBody?.content['application/json']?.schema;
  const body: fc.Arbitrary<string | undefined> =
    schema === undefined ? fc.constant(undefined) : fc.option(bodyOf(schema), { nil: undefined, freq: 12 });
  return fc.tuple(id, queryText, contentType, idempotencyKey, body).map(([given, search, type, key, raw]) => ({
    method: verb.toUpperCase(),
    path: `${template.replace('{id}', given)}${search}`,
    headers: {
      ...(type === '' || raw === undefined ? {} : { 'Content-Type': type }),
      ...(key === undefined ? {} : { 'Idempotency-Key': key }),
    },
    raw,
  }));
}

/** The client already checks every response against the document and the error format; this checks the rest. */
function assertNoFault({ status, headers, text }: ApiResponse, request: FuzzRequest): void {
  const context = `${request.method} ${request.path.slice(0, 200)} → ${text.slice(0, 300)}`;
  assert.ok(status < 500, context);
  assert.match(headers.get('request-id') ?? '', /^req_/, context);
}

function targetsOf({ contract }: Paydesk): Target[] {
  const all = Object.entries(contract.document.paths).flatMap(([template, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => ({ verb, template, operation })),
  );
  // A streaming response has no end to wait for; event-stream.test.ts sends bad input to that route.
  return all.filter(({ operation }) => operation.responses['200']?.content['text/event-stream'] === undefined);
}

async function idsOf({ newSession, test }: TestMerchant): Promise<string[]> {
  const open = [await newSession(), await newSession(), await newSession()];
  const ended = await newSession();
  await test.post(`/checkout-sessions/${ended.id}/expire`);
  const endpoint = await test.post('/webhook-endpoints', { url: 'https://shop.example/webhooks' });
  const { id: event } = must(201, await test.post(`/webhook-endpoints/${endpoint.body.id}/test`));
  const sessions = [...open, ended].flatMap(({ id, payment_intent }) => [id, payment_intent]);
  return [...sessions, endpoint.body.id, event].map(String);
}

describeOnEachEngine('No request generated from the OpenAPI document', (engine) => {
  const paydesk = paydeskForSuite(engine);

  it('causes a 5xx, or a response that the document does not promise', async () => {
    const merchant = await paydesk().newMerchant();
    const known = await idsOf(merchant);
    const targets = targetsOf(paydesk());
    assert.ok(targets.length >= 9);
    const given = Number(process.env.FUZZ_SEED);
    const seed = Number.isInteger(given) ? given : randomInt(2 ** 31);
    const seen = new Set<number>();
    const requests = fc.oneof(...targets.map((target) => requestTo(target, known)));
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        const { method, path, headers, raw } = request;
        const response = await merchant.test.send(method, path, { headers, ...(raw === undefined ? {} : { raw }) });
        assertNoFault(response, request);
        seen.add(response.status);
      }),
      { seed, numRuns: requestsPerEngine, endOnFailure: process.env.FUZZ_SEED === undefined },
    );
    for (const status of [200, 201, 400, 404]) assert.ok(seen.has(status), `seed ${seed} never led to ${status}`);
    assert.equal((await merchant.test.get('/me')).status, 200, 'the service still works');
    assert.ok(entriesOf(await merchant.test.get('/checkout-sessions')).length > 4);
    const faults = paydesk()
      .logLines()
      .filter(({ level }) => level === 'error' || level === 'fatal');
    assert.deepEqual(faults, []);
  });
});
