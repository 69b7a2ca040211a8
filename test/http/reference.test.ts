// The API reference: every operation and object of the OpenAPI document, with examples that the API itself accepts.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type OpenApiDocument, operationsOf } from '../../src/http/documentation/render-reference.ts';
import { fieldsOf } from '../support/api-client.ts';
import { sqlite } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';

describe('The API reference', () => {
  const paydesk = paydeskForSuite(sqlite);
  const html = async (): Promise<string> => (await fetch(`${paydesk().url}/docs`)).text();
  const document = async () => (await (await fetch(`${paydesk().url}/openapi.json`)).json()) as OpenApiDocument;

  it('shows every operation, error code and object of the OpenAPI document', async () => {
    const [page, api] = [await html(), await document()];
    for (const { operationId, method, path } of operationsOf(api)) {
      assert.ok(page.includes(`<section class="operation" aria-labelledby="${operationId}">`), operationId);
      assert.ok(page.includes(`${method}</span> <code>${path}</code>`), path);
    }
    for (const name of Object.keys(api.components.schemas)) assert.ok(page.includes(`id="object-${name}"`), name);
    for (const code of ['currency_not_enabled', 'idempotency_key_reused', 'payment_in_progress', 'rate_limited'])
      assert.ok(page.includes(`<code>${code}</code>`), code);
  });

  it('has a real example for everything: no "string", no 0 for a year, and no broken links', async () => {
    const page = await html();
    assert.doesNotMatch(page, /&quot;string&quot;|undefined|\[object/);
    assert.doesNotMatch(page, /exp_year<\/span>.{0,60}>0</);
    const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    assert.equal(ids.size, [...page.matchAll(/ id="([^"]+)"/g)].length, 'every id is used once');
    for (const [, target = ''] of page.matchAll(/href="#([^"]+)"/g)) assert.ok(ids.has(target), target);
  });

  it('shows request bodies that the API accepts as they are', async () => {
    const merchant = await paydesk().newMerchant();
    const operations = operationsOf(await document());
    const bodyOf = (id: string) => operations.find(({ operationId }) => operationId === id)?.bodyExample;
    const session = await merchant.test.post('/checkout-sessions', fieldsOf(bodyOf('createCheckoutSession')));
    assert.equal(session.status, 201, session.text);
    const patched = await merchant.test.patch(
      `/checkout-sessions/${session.body.id}`,
      fieldsOf(bodyOf('updateCheckoutSession')),
    );
    assert.equal(patched.status, 200, patched.text);
    const endpoint = await merchant.test.post('/webhook-endpoints', fieldsOf(bodyOf('createWebhookEndpoint')));
    assert.equal(endpoint.status, 201, endpoint.text);
  });

  it('quotes URLs in its curl commands, as some shells require', async () => {
    const commands = [...(await html()).matchAll(/curl[^\n]*/g)].map(([line]) => line);
    assert.ok(commands.length > 15);
    for (const line of commands) assert.match(line, /'(?:<\/?span[^>]*>)?https?:|&#x27;https?:/, line);
  });
});
