// The page in the guide of the embedded checkout, as it is: a customer pays in it.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { goodCard, paidOnce } from '../browser/browsing-customer.ts';
import { payIn } from '../browser/embedding-shop.ts';
import { checkoutForSuite } from '../support/browser.ts';
import { sqlite } from '../support/engines.ts';
import { textsRunBy } from './guide-steps.ts';

describe('The page in the guide of the embedded checkout', () => {
  const started = checkoutForSuite(sqlite);

  it('takes a payment, and continues as it says', async (t) => {
    const { paydesk, merchant, visit } = started();
    const session = await merchant.newSession({ ui_mode: 'embedded', payment_method_types: ['card'] });
    const { html: page } = textsRunBy(import.meta.filename, 'html');
    const html = page
      .replaceAll('https://pay.example', paydesk.url)
      .replace('const checkout', `const clientSecret = ${JSON.stringify(session.client_secret)};\n  const checkout`);
    assert.ok(html.includes(paydesk.url));
    const server = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end(`<!doctype html><title>Shop</title><link rel="icon" href="data:,">${html}`);
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    server.listen(0, '127.0.0.1', resolve);
    await promise;
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    const shopUrl = `http://localhost:${(server.address() as AddressInfo).port}`;
    await visit({ sites: [shopUrl] }, async ({ page: shown }) => {
      await shown.goto(shopUrl);
      await payIn(shown.frameLocator('#checkout iframe'), goodCard);
      await shown.waitForURL(`${shopUrl}/thanks`);
      await paidOnce(started(), session);
    });
  });
});
